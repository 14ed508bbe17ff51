"""Curves as pure functions: what they are given is drawn, inside the frame, at every size."""

from __future__ import annotations

import re

import pytest

from wordworth.reports.charts import lines
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.svg import text_width

SIZES = [Size("wide", 552, 400), Size("phone", 358, 400)]
CHEAP, DEAR = SeriesStyle(1, "square"), SeriesStyle(6, "circle")


def points(*scores: float, predicted: int = 0) -> tuple[Point, ...]:
    last = len(scores) - predicted
    return tuple(
        Point(100 * 2**place, score, score - 0.02, score + 0.02, predicted=place >= last)
        for place, score in enumerate(scores)
    )


def chart(*series: Line) -> LineChart:
    counts = sorted({point.x for line in series for point in line.points})
    x = HorizontalAxis("labels", counts[0] / 2, counts[-1] * 2, counts, str, str, log=True)
    return LineChart(
        series, x, "accuracy", lambda score: f"{100 * score:g}", lambda line, point: f"{line.name} {point.value:.3f}"
    )


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
def test_a_curve_has_its_line_its_band_and_its_name(size: Size) -> None:
    svg = lines.draw(chart(Line("TF-IDF", CHEAP, points(0.6, 0.7, 0.75))), size, "x").svg
    assert svg.count('class="line"') == 1
    assert svg.count('class="band series-1"') == 1
    assert ">TF-IDF</text>" in svg


def test_what_is_predicted_is_dashed_shaded_and_hollow() -> None:
    svg = lines.draw(chart(Line("TF-IDF", CHEAP, points(0.6, 0.7, 0.75, predicted=1))), SIZES[0], "x").svg
    assert 'class="line guess"' in svg
    assert 'class="future"' in svg
    assert svg.count("hollow") == 1
    measured = lines.draw(chart(Line("TF-IDF", CHEAP, points(0.6, 0.7, 0.75))), SIZES[0], "x").svg
    assert "guess" not in measured
    assert "future" not in measured


def test_a_constant_far_below_does_not_squeeze_the_axis_and_is_named_at_its_foot() -> None:
    floor = Line("Majority class", SeriesStyle(0, "circle"), points(0.1, 0.1, 0.271111), may_leave_axis=True)
    svg = lines.draw(chart(floor, Line("TF-IDF", CHEAP, points(0.8, 0.81, 0.82))), SIZES[0], "x").svg
    assert "Majority class 27.1: below this axis" in svg
    assert ">20</text>" not in svg


def test_one_size_is_drawn_as_points_with_whiskers() -> None:
    svg = lines.draw(chart(Line("TF-IDF", CHEAP, points(0.8))), SIZES[0], "x").svg
    assert 'class="whisker"' in svg
    assert "NaN" not in svg


def test_a_stop_at_each_number_of_labels_tells_every_curve_best_first() -> None:
    drawing = lines.draw(
        chart(Line("TF-IDF", CHEAP, points(0.6, 0.7)), Line("MiniLM", DEAR, points(0.7, 0.6))), SIZES[0], "x"
    )
    assert [[line.split()[0] for _, line in stop.lines] for stop in drawing.stops] == [
        ["MiniLM", "TF-IDF"],
        ["TF-IDF", "MiniLM"],
    ]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: size.name)
def test_names_stay_inside_the_drawing(size: Size) -> None:
    many = [Line(f"A rather long name {place}", CHEAP, points(0.6, 0.7 + place / 100)) for place in range(12)]
    svg = lines.draw(chart(*many), size, "x").svg
    for x, words in re.findall(r'<text x="([\d.]+)"[^>]*class="direct"[^>]*>([^<]*)<', svg):
        assert float(x) + text_width(words, 12) <= size.width
