"""Rows of dots with intervals."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from wordworth.reports.charts import dot_intervals
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.lines import Point
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.svg import text_width

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


def attributes(svg: str, name: str, **wanted: str) -> list[dict[str, str]]:
    """The attributes of the elements of a name that have the wanted ones."""
    found = [dict(re.findall(r'([\w-]+)="([^"]*)"', one)) for one in re.findall(rf"<{name} ([^>]*)>", svg)]
    return [one for one in found if wanted.items() <= one.items()]


@pytest.mark.parametrize("width", [552, 358])
def test_no_line_runs_through_words(width: int) -> None:
    data = DotChart((("unseen", (a_row(0.02), a_row(-0.03), a_row(None))),), "points", str, null_name="expected anyway")
    svg = dot_intervals.draw(data, Size("any", width, dot_intervals.height(data)), "x").svg
    (zero,) = attributes(svg, "line", **{"class": "zero"})
    (absent,) = attributes(svg, "text", **{"class": "aside halo"})
    (null,) = attributes(svg, "text", **{"class": "aside tiny halo"})
    left, at = float(absent["x"]), float(zero["x1"])
    assert not left < at < left + text_width("not defined", 12)
    assert float(null["y"]) <= float(zero["y1"])


def test_a_name_that_is_too_wide_for_one_line_is_written_on_two() -> None:
    row = replace(a_row(0.02), name="wordworth-mini as a table")
    data = DotChart((("", (row,)),), "points", str)
    wide, phone = (
        dot_intervals.draw(data, Size("any", width, dot_intervals.height(data)), "x").svg for width in (552, 358)
    )
    assert ">wordworth-mini as a table</text>" in wide
    assert ">wordworth-mini</text>" in phone
    assert ">as a table</text>" in phone


def test_a_phone_has_the_short_name_only_where_the_whole_one_does_not_fit() -> None:
    rows = (
        replace(a_row(0.02), name="Google analogies", short="google"),
        replace(a_row(0.02), name="Morphological-derivations", short="morphology"),
    )
    data = DotChart((("", rows),), "points", str)
    svg = dot_intervals.draw(data, Size("phone", 358, dot_intervals.height(data)), "x").svg
    assert "google" not in svg
    assert ">morphology</text>" in svg


def test_a_long_name_on_a_phone_has_three_lines_and_a_row_as_tall() -> None:
    rows = tuple(replace(a_row(0.02), name=f"attention from pronoun less random weights {row}") for row in range(4))
    chart = DotChart((("", rows),), "points", str)
    drawing = dot_intervals.draw(chart, Size("phone", 358, dot_intervals.height(chart)), "described")
    assert "…" not in drawing.svg
    places = [stop.y for stop in drawing.stops]
    assert all(after - before >= 39 for before, after in pairwise(places))
