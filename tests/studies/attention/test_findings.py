"""The sentences about heads follow the figures."""

import numpy as np
import pytest
from tests.measures.test_attention_maps import softmax_maps, some_maps
from tests.studies.attention.test_tables import planted

from wordworth.measures.attention_maps import Vectors
from wordworth.reports.attention import viewer_data
from wordworth.reports.attention.viewer_data import pack
from wordworth.studies.attention.findings import method, verdict, warnings
from wordworth.studies.attention.tables import tables_of


def of(*models):
    return verdict(models, tables_of(models))


def test_one_model_is_described_beside_even_attention():
    finding = of(some_maps(weights=planted()))
    assert finding.numbers["headline"] == "Special tokens receive 58 % of the attention of the others."
    assert "spread evenly it would be 40 %" in finding.text
    assert "layer 1, head 1, attends to the token before (100 %)" in finding.text
    assert "More than half goes to the token before and to the token after in 2 and 0 of 6 heads." in finding.text


def beside_random(*models, **changes):
    """The verdict with a control, whose heads attend evenly."""
    even = some_maps(weights=np.full_like(planted(), 0.2), **changes)
    return verdict(models, tables_of(models, tables_of([even]))).text


def test_one_model_is_described_beside_random_weights():
    text = beside_random(some_maps(weights=planted()))
    assert "Special tokens receive 58 % of the attention of the others, with random weights 40 %; spread evenly" in text
    assert "Of 6 heads, 2 give special tokens more than any head with random weights does, 2 less than any" in text
    assert "(if they were alike, 0.9 each by luck)" in text
    assert "in 2 and 0 of 6 heads, with random weights in 0 and 0." in text
    assert "with random weights the least is 1.61." in text


def test_of_two_models_the_shape_of_the_random_one_is_named_and_drawn_it_is_not_repeated():
    maps = some_maps(weights=planted())
    assert "with random weights in the shape of model 40 %" in beside_random(maps, some_maps(name="after"))
    drawn = beside_random(maps, some_maps(name="random weights"))
    assert "with random weights in the shape" not in drawn
    assert "Of 6 heads of model, 2 give special tokens more" in drawn


def test_without_special_tokens_the_spread_of_heads_is_beside_random_weights():
    none = {"special": np.zeros(5, bool)}
    assert "0 spread wider than any head with random weights does, 4 narrower than any" in beside_random(
        some_maps(weights=planted(), **none), **none
    )


def test_without_special_tokens_the_token_that_receives_most_is_named():
    headline = of(some_maps(weights=planted(), special=np.zeros(5, bool))).numbers["headline"]
    assert headline.startswith("“[CLS]” receives")


def test_of_two_models_the_head_that_differs_most_is_named():
    changed = planted()
    changed[1, 2] = softmax_maps(0)[0, 0]
    finding = of(some_maps(weights=planted()), some_maps(weights=changed, name="after"))
    assert finding.numbers["headline"] == "The two differ most in layer 2, head 3."
    assert "2 and 0 of 6 heads (model) and 1 and 0 of 6 heads (after)" in finding.text


def test_two_models_that_are_the_same_do_not_differ():
    same = of(some_maps(weights=planted()), some_maps(weights=planted() + np.float32(1e-9), name="after"))
    assert same.numbers["headline"] == "The two do not differ in this text."


def test_arrays_from_elsewhere_are_not_said_to_be_read_from_a_model():
    own, others = ([each.text for each in method([some_maps()], "words", from_arrays=of)] for of in (False, True))
    assert any("softmax of q·k" in text for text in own)
    assert not any("softmax of q·k" in text for text in others)
    assert any("random weights" in text for text in own)
    assert not any("random weights" in text for text in others)


def test_attention_across_two_texts_is_given():
    assert "From one text to words of the other goes" in of(some_maps(second=3)).text


def names(findings) -> set[str]:
    return {finding.name for finding in findings}


def test_one_text_and_attention_are_no_explanation():
    assert names(warnings([some_maps()], pack([some_maps()]))) == {"warning.explanation", "warning.one_text"}


def test_rows_of_another_sum_are_reported_as_they_are():
    maps = some_maps(weights=softmax_maps(0) * np.float32(0.5))
    [finding] = [each for each in warnings([maps], pack([maps])) if each.name == "warning.row_sums"]
    assert "between 0.50 and 0.50" in finding.text


def test_other_tokens_are_reported():
    maps = [some_maps(), some_maps(name="second", tokens=tuple("abcde"))]
    assert "warning.tokens" in names(warnings(maps, pack(maps)))


def test_what_the_page_leaves_out_is_reported(monkeypatch):
    tokens = 40
    draw = np.random.default_rng(0).standard_normal((2, 6, 3, tokens, 8)).astype(np.float32)
    maps = some_maps(
        weights=softmax_maps(0, layers=6, tokens=tokens),
        tokens=("t",) * tokens,
        special=np.zeros(tokens, bool),
        words=None,
        vectors=Vectors(draw[0], draw[1]),
    )
    monkeypatch.setattr(viewer_data, "ROOM", 9_000)
    findings = {finding.name: finding for finding in warnings([maps], pack([maps]))}
    assert {"warning.layers", "warning.small_weights", "warning.vectors"} <= findings.keys()
    assert 0 < findings["warning.small_weights"].numbers["lost"] < 1
    assert findings["warning.layers"].numbers["layers"][-1] == 6
    assert findings["warning.vectors"].numbers["tokens"] < tokens


@pytest.mark.parametrize(("units", "has_words"), [("words", True), ("pieces", False)])
def test_the_method_says_how_words_are_made_where_they_are(units, has_words):
    assert ("method.words" in names(method([some_maps()], units, from_arrays=False))) == has_words
