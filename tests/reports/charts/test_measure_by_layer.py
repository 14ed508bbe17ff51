import re

import pytest

from wordworth.reports.charts import measure_by_layer
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SeriesStyle


@pytest.mark.parametrize("size", [Size("wide", 552, 300), Size("phone", 358, 300)])
def test_curves_differ_in_shape_as_well_as_colour_and_stay_inside(size):
    levels = tuple(LayerValue(n, 0.5 + 0.1 * n, 0.4 + 0.1 * n, 0.6 + 0.1 * n, 0.0) for n in range(3))
    models = (
        Curve("BERT 2019", 12, tuple(LayerValue(n, 0.02 * n) for n in range(13))),
        Curve("first", 2, levels, SeriesStyle(6, "circle")),
        Curve("second", 2, levels, SeriesStyle(7, "square")),
    )
    drawing = measure_by_layer.draw(CurvesByLayer(models, "cosine", lambda value: f"{value:.2f}"), size, "x")
    assert drawing.svg.count("<circle") == 3
    assert drawing.svg.count("<polygon") == 3
    numbers = [float(n) for d in re.findall(r' d="([^"]+)"', drawing.svg) for n in re.findall(r"[\d.]+", d)]
    assert max(numbers) <= size.width
    assert [stop.title for stop in drawing.stops] == ["layer 0", "layer 1", "layer 2"]
    stop_lines = [line for _, line in drawing.stops[1].lines]
    assert "first 0.60 (0.50 to 0.70), null 0.00" in stop_lines
    assert "BERT 2019 layer 6 0.12" in stop_lines


@pytest.mark.parametrize(("low", "high"), [(-0.2, 0.0), (0.0, 0.2)])
def test_an_interval_that_ends_at_nothing_is_said(low, high):
    curve = Curve("m", 1, tuple(LayerValue(n, 0.1, low, high) for n in range(2)), SeriesStyle(6, "circle"))
    drawing = measure_by_layer.draw(
        CurvesByLayer((curve,), "cosine", lambda value: f"{value:.1f}"), Size("wide", 552, 300), "x"
    )
    assert drawing.stops[0].lines[0][1] == f"m 0.1 ({low:.1f} to {high:.1f})"


def test_a_table_beside_a_model_is_drawn_across_and_told_at_every_layer():
    model = Curve("minilm", 2, tuple(LayerValue(layer, 0.1 * layer) for layer in range(3)), SeriesStyle(6, "circle"))
    flat = Curve("glove", 0, (LayerValue(0, 0.9, null=0.5),), SeriesStyle(7, "square"))
    drawing = measure_by_layer.draw(
        CurvesByLayer((model, flat), "cosine", lambda value: f"{value:.1f}"), Size("wide", 552, 300), "x"
    )
    assert [sum("glove 0.9" in stop_lines for _, stop_lines in stop.lines) for stop in drawing.stops] == [1, 1, 1]
    assert "direct strong halo" not in drawing.svg
