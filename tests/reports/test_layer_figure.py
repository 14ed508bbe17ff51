"""Curves by layer out of the rows of a record, and the figure of a caption that says why there is none."""

import pytest

from wordworth.errors import BadInput
from wordworth.records import Finding, Record, Table
from wordworth.reports.charts.measure_by_layer import CurvesByLayer
from wordworth.reports.layer_figure import LayeredView, layer_figure
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import plain

ROWS = [
    {"model": "m", "layer": 0, "value": 0.9, "low": 0.8, "high": 1.0, "null": 0.1},
    {"model": "m", "layer": 1, "value": None, "low": None, "high": None, "null": 0.2},
    {"model": "other", "layer": 0, "value": 0.5, "low": 0.4, "high": 0.6, "null": 0.3},
]


def view(layers=1):
    models = Table.of([{"model": name, "layers": layers} for name in ("m", "other")], {"model": "", "layers": ""})
    return LayeredView.of(Record("any", {}, {}, {"models": models}, [Finding("verdict", "")]))


def test_a_curve_has_the_models_own_layers_and_leaves_out_those_without_a_value():
    curve = view().curve("m", ROWS, null="null")
    assert [(level.layer, level.value, level.low, level.high, level.null) for level in curve.values] == [
        (0, 0.9, 0.8, 1.0, 0.1)
    ]
    assert (curve.name, curve.depth) == ("m", 1)


def test_the_null_of_every_layer_may_be_one_number_or_none():
    assert view().curve("other", ROWS, null=0.0).values[0].null == 0.0
    assert view().curve("other", ROWS).values[0].null is None


def test_models_differ_in_style():
    assert view().curve("m", ROWS).style != view().curve("other", ROWS).style


def test_a_number_of_layers_that_no_model_has_is_refused():
    with pytest.raises(BadInput, match="1000000 layers; run the study again"):
        view(10**6).curve("m", ROWS)


def test_a_figure_whose_caption_says_why_it_is_absent_is_not_drawn():
    caption = Finding("caption.alike", "How alike", {"notes": [], "absent": "No model has a value."})
    captioned = RecordView.of(Record("any", {}, {}, {}, [caption]))
    figure = layer_figure(captioned, "alike", CurvesByLayer([], "cosine", str), plain("", (), ()))
    assert (figure.title, figure.absent, figure.drawings) == ("How alike", "No model has a value.", ())
    assert figure.table is None
