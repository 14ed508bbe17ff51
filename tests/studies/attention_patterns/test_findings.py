"""The sentences of a `patterns` record."""

from tests.studies.attention_patterns.test_tables import measured

from wordworth.studies.attention_patterns.findings import method, verdict, warnings
from wordworth.studies.attention_patterns.tables import tables_of

FACTS = {"texts": 3, "segments": 9, "loss": "cosine of halves", "gradient_segments": 9, "control_segments": 9}
FACTS |= {"random_encoders": 2, "few_segments": 5}


def test_the_headline_counts_typed_heads_of_all():
    tables = tables_of(measured(0), measured(1), 100, 0)
    found = verdict(tables)
    focused = sum(row["heads"] for row in tables["types"].rows()[:3])
    assert found.numbers["headline"].startswith(f"{focused} of 6 heads")
    assert "There the loss changes" in found.text
    assert "By luck, in the mean (least to most) of encoders with random weights: 0.5 previous (0 to 1)" in found.text
    assert "not surely closer" in found.text or "are closer" in found.text


def test_few_texts_are_warned_of_and_the_loss_is_named():
    tables = tables_of(measured(0), measured(1), 100, 0)
    names = {each.name for each in warnings(tables, FACTS)}
    assert {"warning.texts", "warning.attention"} <= names
    assert "no masked-LM head" in next(each.text for each in method(FACTS) if each.name == "method.gradients")
    control = next(each.text for each in method(FACTS) if each.name == "method.random")
    assert "types of heads are counted in 2 such encoders" in control
    other = {**FACTS, "loss": "masked-LM loss", "texts": 100}
    assert "warning.texts" not in {each.name for each in warnings(tables, other)}
    assert "as in the paper" in next(each.text for each in method(other) if each.name == "method.gradients")
