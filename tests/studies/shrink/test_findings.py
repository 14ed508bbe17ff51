"""The verdict's words follow from what was judged: enough, cannot tell, or keep the whole one."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from wordworth.measures.paired_changes import Change
from wordworth.models.pruning import ModelSize
from wordworth.studies.compression_frontier import Variant
from wordworth.studies.shrink.findings import method, verdict, warnings
from wordworth.studies.shrink.non_inferiority import Judgement

FACTS = {
    "metric_title": "accuracy", "choosing": 300, "measuring": 300, "is_run": True, "by_cosine": False,
    "has_vectors": False, "cut": 0, "tokens": 48,
}  # fmt: skip


def judged(*changes, spread=0.002):
    variants = [
        Variant(name, ModelSize(1, 1, 1), num_bytes, "way", 0.9 + value, Change(value, value + spread * _DRAWS), {})
        for name, num_bytes, value in (("whole", 100, 0.0), *changes)
    ]
    return Judgement.of(variants, 0.01, 300)


_DRAWS = np.random.default_rng(0).normal(size=2_000)


def test_the_smallest_that_is_surely_within_the_margin_is_the_headline():
    finding = verdict(judged(("int8", 60, 0.0), ("first 2 layers", 30, -0.1)), None, FACTS)
    assert finding.numbers["headline"] == "Enough: int8."
    assert finding.text.startswith(
        "Of 2 smaller models, int8 is the smallest that surely stays within 1.0 point of accuracy"
    )
    assert "with 60 % of the bytes" in finding.text
    assert "(97.5 %: " in finding.text
    assert "1 costs more than that beyond doubt." in finding.text
    assert finding.numbers["model"] == "int8"


def test_where_the_rows_cannot_tell_the_verdict_says_so_and_how_many_would():
    finding = verdict(judged(("first 5 layers", 60, -0.004), spread=0.02), None, FACTS)
    assert finding.numbers["headline"] == "Cannot tell yet."
    assert "Of 1 smaller models, none surely stays within 1.0 point" in finding.text
    assert "Of first 5 layers, these rows cannot tell. About " in finding.text
    assert finding.numbers["model"] is None
    assert finding.numbers["model_undecided"] == 1


def test_where_all_cost_more_the_whole_model_is_kept():
    finding = verdict(judged(("first 2 layers", 60, -0.2), ("first 1 layer", 30, -0.3)), None, FACTS)
    assert finding.numbers["headline"] == "Keep the whole model."
    assert "2 cost more than that beyond doubt." in finding.text


def test_many_undecided_ones_are_not_all_named():
    finding = verdict(judged(*((f"model {n}", 60 - n, -0.004) for n in range(6)), spread=0.02), None, FACTS)
    assert "model 5, model 4, model 3, model 2 and 2 others, these rows cannot tell" in finding.text


def test_vectors_have_a_line_of_their_own():
    finding = verdict(judged(("int8", 60, 0.0)), judged(("bits", 3, -0.3), ("int8", 25, 0.0)), FACTS)
    first, second = finding.text.split("\n")
    assert "Of 1 smaller models, int8 is" in first
    assert "Of 2 smaller forms of stored vectors, int8 is the smallest" in second
    assert (finding.numbers["model"], finding.numbers["vectors"]) == ("int8", "int8")


def test_texts_that_the_model_cuts_are_counted():
    task = SimpleNamespace(test=range(300), warnings=())
    (cut,) = (each for each in warnings(task, FACTS | {"cut": 2}) if each.name == "warning.cut")
    assert cut.text == "2 texts are longer than the 48 tokens that the model reads, and cut."


def test_warnings_and_method_name_rows_rule_and_clock():
    task = SimpleNamespace(test=range(100), warnings=())
    assert [each.name for each in warnings(task, FACTS)] == ["warning.few_rows", "warning.one_run"]
    names = [each.name for each in method(judged(("int8", 60, 0.0)), FACTS | {"has_vectors": True})]
    assert names == ["method.halves", "method.rule", "method.sizes", "method.speed", "method.vectors"]
    texts = [each.text for each in method(judged(("int8", 60, 0.0)), FACTS | {"by_cosine": True, "has_vectors": True})]
    assert "no head to learn" in texts[0]
    assert "cosine of their vectors" in texts[-1]


def beside_constant(above, spread=0.01, **facts):
    """The verdict on a whole model so much above the constant answer, of which int8 is within the margin."""
    judgement = judged(("int8", 60, 0.0))
    whole, *others = judgement.judged
    variant = replace(whole.variant, above_constant=Change(above, above + spread * _DRAWS))
    judgement = replace(judgement, judged=(replace(whole, variant=variant), *others))
    return verdict(judgement, None, FACTS | {"constant": "the constant answer (majority class)"} | facts)


def test_a_whole_model_below_the_constant_answer_is_said_first_and_nothing_is_named():
    finding = beside_constant(-0.05)
    assert finding.numbers["headline"] == "Nothing to shrink: the whole model does not surely beat a constant answer."
    assert finding.text.startswith(
        "The whole model (90.0) does not surely beat the constant answer (majority class), which has 95.0: −5.0 points"
    )
    assert "nothing can be shrunk to advantage" in finding.text
    assert "int8" not in finding.text
    assert (finding.numbers["model"], finding.numbers["model_beats_constant"]) == (None, False)
    assert finding.numbers["model_above_constant"] == -0.05
    assert finding.numbers["model_above_constant_low"] < -0.05 < finding.numbers["model_above_constant_high"]


def test_a_lead_over_the_constant_answer_that_the_rows_do_not_show_is_none():
    assert beside_constant(0.01).numbers["model"] is None
    assert beside_constant(0.03).numbers["model"] == "int8"
    assert beside_constant(0.03).numbers["headline"] == "Enough: int8."


def test_vectors_below_the_constant_answer_are_said_so_in_their_line():
    vectors = judged(("bits", 3, 0.0))
    whole, *others = vectors.judged
    variant = replace(whole.variant, above_constant=Change(-0.2, -0.2 + 0.01 * _DRAWS))
    vectors = replace(vectors, judged=(replace(whole, variant=variant), *others))
    finding = verdict(judged(("int8", 60, 0.0)), vectors, FACTS | {"constant": "the constant answer (the mean)"})
    first, second = finding.text.split("\n")
    assert "int8 is the smallest" in first
    assert second.startswith("The whole vector (90.0) does not surely beat the constant answer (the mean), which has")
    assert (finding.numbers["model"], finding.numbers["vectors"]) == ("int8", None)
