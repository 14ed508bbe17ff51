"""The sentences on layers."""

from wordworth.records import Table
from wordworth.studies.layers.findings import verdict, warnings
from wordworth.studies.layers.tables import CHOICES, EXPECTED, STEPS, TASKS

CHOICE = {
    **dict.fromkeys(CHOICES, 0.5),
    "layer": 2,
    "layer_low": 0.0,
    "layer_high": 3.0,
    "mix": False,
    "change_low": -0.02,
    "change_high": 0.01,
}
NONE = float("nan")


def tables(*choices, expected=(), steps=()):
    sizes = [{**dict.fromkeys(TASKS, 500), "task": choice["task"], "dev": choice.pop("dev", 500)} for choice in choices]
    made = {"tasks": Table.of(sizes, TASKS), "choices": Table.of([{**CHOICE, **each} for each in choices], CHOICES)}
    if expected:
        made["expected"] = Table.of([{**dict.fromkeys(EXPECTED, 0.5), **row} for row in expected], EXPECTED)
        made["steps"] = Table.of([{**dict.fromkeys(STEPS, 0.5), **row} for row in steps], STEPS)
    return made


def test_a_single_label_is_answered_by_its_layer():
    headline = verdict(tables({"task": "kind"}), 6).numbers["headline"]
    assert headline == "For “kind” take layer 2 of 6."
    mix = verdict(tables({"task": "kind", "mix": True}), 6)
    assert mix.numbers["headline"] == "For “kind” take the mix of layers 0 to 2 of 6."
    words = verdict(tables({"task": "kind", "layer": 0}), 6)
    assert "the words alone" in words.numbers["headline"]


def test_stopping_early_is_counted_where_no_loss_is_sure():
    few = tables({"task": "a"}, {"task": "b", "layer": 6}, {"task": "c", "change_high": -0.01})
    assert verdict(few, 6).numbers["headline"] == "Stopping early loses nothing sure for 1 of 3 labels."


def test_the_order_negative_gains_and_what_has_no_interval_are_said():
    rows = [
        {"task": "pos", "expected": 1.2, "low": 1.0, "high": 1.5, "negative": 0},
        {"task": "rel", "expected": 3.0, "low": NONE, "high": NONE, "negative": 2},
        {"task": "dpr", "expected": NONE, "negative": 1},
    ]
    steps = [
        {"first": "pos", "second": "rel", "later": True, "earlier": False},
        {"first": "rel", "second": "dpr", "later": False, "earlier": True},
    ]
    text = verdict(tables({"task": "pos"}, {"task": "rel"}, expected=rows, steps=steps), 6).text
    assert "Expected layers: “pos” 1.20 (1.00 to 1.50)." in text
    assert "No expected layer of “rel” and “dpr”: what the layers gain over layer 0 is too little to say." in text
    assert "“dpr” nan" not in text
    assert (
        "Published order, pos, rel, dpr: 1 of 2 steps surely come out; surely the other way round: dpr before rel."
        in text
    )
    assert "Number of layers that take away from the score: 2 for “rel” and 1 for “dpr”." in text


def test_what_random_weights_read_and_what_a_second_seed_moves_are_warned_of():
    row = {"task": "pos", "expected": 1.2, "low": 1.0, "high": 1.5, "again": 2.5, "f1_low": 0.5, "random_high": 0.6}
    names = [finding.name for finding in warnings(tables({"task": "pos"}, expected=[row]), 3)]
    assert names == ["warning.long_texts", "warning.random", "warning.second_seed", "warning.probing"]
    calm = {**row, "again": 1.3, "random_high": 0.3}
    assert [finding.name for finding in warnings(tables({"task": "pos"}, expected=[calm]), 0)] == ["warning.probing"]


def test_few_texts_that_choose_are_named_in_headline_verdict_and_warning():
    few, many = tables({"task": "kind", "dev": 27}), tables({"task": "kind", "dev": 270})
    found = verdict(few, 6)
    assert found.numbers["headline"] == "For “kind” take layer 2 of 6, as far as 27 texts can tell."
    assert "27 texts chose it; resampled texts choose layers 0 to 3 (95 %)." in found.text
    assert "can tell" not in verdict(many, 6).numbers["headline"]
    (warning,) = warnings(few, 0)
    assert "Only 27 texts chose the layer for “kind”" in warning.text
    assert "(layers 0 to 3 (95 %))" not in warning.text
    assert not list(warnings(many, 0))
