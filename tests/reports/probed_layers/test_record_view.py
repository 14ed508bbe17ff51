"""What a `layers` record says of each task and of the time up to each layer."""

import pytest

from wordworth.records import Record, Table
from wordworth.reports.probed_layers.record_view import (
    cost_sentences,
    expected_layers,
    has_control_task,
    rows_of_task,
    speed_by_layer,
)
from wordworth.reports.record_view import RecordView

SPEED = {"task": ["pos", "ner"], "layer": [1, 2], "milliseconds": [2.0, None], "share": [0.5, None]}


def view(timings=None, **tables):
    made = {name: Table.of(rows, dict.fromkeys(rows[0], "")) for name, rows in tables.items()}
    return RecordView.of(Record("layers", {}, {}, made, [], timings=timings or {}))


def test_rows_are_those_of_one_task():
    rows = [{"task": "pos", "f1": 0.5}, {"task": "ner", "f1": 0.7}]
    assert [row["f1"] for row in rows_of_task(view(layers=rows), "layers", "ner")] == [0.7]


def test_a_task_without_an_interval_has_no_expected_layer():
    rows = [{"task": "pos", "expected": 1.5, "low": 1.0}, {"task": "ner", "expected": 1.5, "low": None}]
    assert [row["task"] for row in expected_layers(view(expected=rows))] == ["pos"]


@pytest.mark.parametrize(("scores", "learned"), [([None, 0.5], True), ([None, None], False)])
def test_a_control_task_was_learned_if_one_layer_has_its_score(scores, learned):
    assert has_control_task([{"control": score} for score in scores]) is learned


def test_each_label_that_was_timed_has_a_sentence_on_its_cost():
    choices = [{"task": "pos", "layer": 1}, {"task": "ner", "layer": 2}]
    timed = view({"speed": {"columns": SPEED, "describe": dict.fromkeys(SPEED, "")}}, choices=choices)
    assert cost_sentences(timed) == ["“pos”: 2.0 ms a text up to layer 1, 50 % of the time of all layers."]
    assert speed_by_layer(view(choices=choices)) == {}
    assert cost_sentences(view(choices=choices)) == []
