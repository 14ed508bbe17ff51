"""The page of a `layers` record: layers to take, expected layers, each task by layer."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS

from wordworth.records import Finding, Record, Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.studies.layers.study import SPEED
from wordworth.studies.layers.tables import CHOICES, DEPTHS, EXPECTED, LAYERS, STEPS, TASKS

HOSTILE = "</script><b>x"


def record(names=("pos", HOSTILE), *, edges=True, **changes):
    def rows(columns, **values):
        return [{**dict.fromkeys(columns, 0.5), **values, "task": name} for name in names]

    def by_layer(columns, **first):
        return [
            {**row, "layer": layer, "f1": 0.5 + 0.1 * layer, **(first if layer == 0 else {})}
            for row in rows(columns) for layer in range(3)
        ]  # fmt: skip

    tables = {"tasks": Table.of(rows(TASKS, title=HOSTILE), TASKS)}
    if edges:
        tables["expected"] = Table.of(rows(EXPECTED, negative=1, **changes), EXPECTED)
        tables["depths"] = Table.of(by_layer(DEPTHS, gain=None, gain_low=None, gain_high=None), DEPTHS)
        step = {**dict.fromkeys(STEPS, 0.5), "first": "pos", "second": HOSTILE, "later": True, "earlier": False}
        tables["steps"] = Table.of([step], STEPS)
    tables["layers"] = Table.of(by_layer(LAYERS), LAYERS)
    tables["choices"] = Table.of(rows(CHOICES, layer=1, mix=True, numbers=700), CHOICES)
    speed = [{"task": name, "layer": layer, "milliseconds": 1.5, "share": 0.7} for name in names for layer in range(3)]
    verdict = Finding("verdict", f"Words.\n{HOSTILE}", {"headline": f"Take {HOSTILE}."})
    facts = {"name": HOSTILE, "model": "minilm", "layers": 2}
    return Record("layers", {}, facts, tables, [verdict], timings={"seconds": {}, "speed": Table.of(speed, SPEED)})


VARIANTS = [{}, {"names": ("kind",), "edges": False}, {"expected": None, "low": None, "high": None}]
"""Tasks with edge probes, without any, and with ones that no layer adds anything to."""


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_record_holds_the_sentences_of_its_charts(variant, check):
    check(with_captions(record(**variant)))


def test_every_task_has_its_figures_and_the_layer_to_take_its_cost():
    page = render(record())
    assert page.count("adds most to an edge probe") >= 2
    assert "layers 0–1, mixed" in page
    assert "a text up to layer 1, 70" in page
    assert "surely later" in page
    assert page.count("describes the labels shortest") >= 2


def test_hostile_names_are_escaped():
    assert HOSTILE not in render(record())


def test_probes_alone_have_no_expected_layers():
    page = render(record(("kind",), edges=False))
    assert "Where each task is found" not in page
    assert "The layer to take" in page


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_what_has_no_expected_layer_is_said(missing):
    page = render(record(expected=missing, low=missing, high=missing))
    assert "gain nothing over layer 0" in page


def test_columns_of_the_control_task_are_left_out_with_a_note_where_whole_texts_have_labels():
    words, texts = record(("kind",), edges=False), record(("kind",), edges=False)
    rows = [{**row, "control": None, "selectivity": None} for row in texts.tables["layers"].rows()]
    texts = replace(texts, tables={**texts.tables, "layers": Table.of(rows, LAYERS)})
    assert "selectivity, points" in render(words)
    assert "There is no control task: it gives each word a random label" not in render(words)
    assert "selectivity, points" not in render(texts)
    assert "There is no control task: it gives each word a random label" in render(texts)


def test_the_layer_to_take_has_its_interval_and_an_earlier_record_none():
    made = record(("kind",), edges=False)
    (row,) = made.tables["choices"].rows()
    wide = Table.of([{**row, "layer_low": 0.0, "layer_high": 3.0}], CHOICES)
    assert "0 to 3" in render(replace(made, tables={**made.tables, "choices": wide}))
    earlier = {name: text for name, text in CHOICES.items() if not name.startswith("layer_")}
    kept = Table.of([{name: row[name] for name in earlier}], earlier)
    assert "layers 0–1, mixed" in render(replace(made, tables={**made.tables, "choices": kept}))
