"""Rows of dots with intervals."""

from __future__ import annotations

from wordworth.reports.charts import dot_intervals
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.lines import Point
from wordworth.reports.charts.palette import SeriesStyle

CHEAP, DEAR = SeriesStyle(1, "square"), SeriesStyle(6, "circle")


def points(*scores: float, predicted: int = 0) -> tuple[Point, ...]:
    last = len(scores) - predicted
    return tuple(
        Point(100 * 2**place, score, score - 0.02, score + 0.02, predicted=place >= last)
        for place, score in enumerate(scores)
    )


def a_row(difference: float | None) -> DotRow:
    ends = (None, None) if difference is None else (difference - 0.01, difference + 0.01)
    dot = Dot(CHEAP, difference, *ends, null=0.002 if difference is not None else None)
    return DotRow("TF-IDF", (dot,), ((None, ""),), absent="not defined")


def test_a_row_has_its_whisker_and_its_null_and_an_undefined_one_its_reason() -> None:
    data = DotChart((("unseen", (a_row(0.02), a_row(None))),), "points", str)
    svg = dot_intervals.draw(data, Size("wide", 552, dot_intervals.height(data)), "x").svg
    assert svg.count('class="whisker"') == 3
    assert svg.count('class="null"') == 1
    assert ">not defined</text>" in svg
