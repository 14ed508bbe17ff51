"""Reliability diagrams: the diagonal, bins with their intervals, and two series that black and white tells apart."""

from __future__ import annotations

import re

import pytest

from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.reliability import Bin, Series, draw

SIZES = [Size("wide", 552, 400), Size("phone", 358, 400)]
STYLE = SeriesStyle(6, "circle")
BEFORE = Series("as they are", (Bin(0.8, 0.7, 0.6, 0.78, 40), Bin(0.95, 0.9, 0.8, 0.97, 40)), hollow=True)
AFTER = Series("divided", (Bin(0.7, 0.72, 0.6, 0.8, 40), Bin(0.9, 0.9, 0.8, 0.97, 40)))


@pytest.mark.parametrize("size", SIZES)
def test_each_bin_has_a_marker_and_an_interval_and_the_series_differ_without_colour(size: Size) -> None:
    svg = str(draw([BEFORE, AFTER], STYLE, size, "x").svg)
    assert svg.count('class="marker hollow"') == len(BEFORE.bins) + 1  # one in the legend
    assert svg.count('class="marker"') == len(AFTER.bins) + 1
    assert svg.count('class="whisker"') == 3 * (len(BEFORE.bins) + len(AFTER.bins))
    assert svg.count("stroke-dasharray") == 1


@pytest.mark.parametrize("size", SIZES)
def test_a_bin_that_is_as_often_right_as_it_is_sure_lies_on_the_diagonal(size: Size) -> None:
    svg = str(draw([AFTER], STYLE, size, "x").svg)
    line = re.search(r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)" class="here"', svg)
    assert line is not None
    x1, y1, x2, y2 = map(float, line.groups())
    x, y = map(float, re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', svg)[-1])
    assert (y - y1) / (y2 - y1) == pytest.approx((x - x1) / (x2 - x1), abs=0.01)


def test_the_pointer_reads_every_bin() -> None:
    stops = draw([BEFORE, AFTER], STYLE, SIZES[0], "x").stops
    assert [stop.title for stop in stops] == ["80.0 % sure", "95.0 % sure", "70.0 % sure", "90.0 % sure"]
    assert stops[0].lines == ((STYLE, "as they are"), (None, "right 70.0 % (60.0 % to 78.0 %)"), (None, "40 texts"))


@pytest.mark.parametrize("size", SIZES)
def test_everything_is_drawn_inside(size: Size) -> None:
    low = Series("unsure", (Bin(0.01, 0.0, 0.0, 0.1, 30), Bin(1.0, 1.0, 0.9, 1.0, 30)))
    svg = str(draw([low], STYLE, size, "x").svg)
    numbers = [float(value) for value in re.findall(r' (?:x|x1|x2|cx)="([-\d.]+)"', svg)]
    assert min(numbers) >= 0
    assert max(numbers) <= size.width
