"""The decision map: regions of rungs, and cells in doubt."""

from __future__ import annotations

import re

import pytest

from wordworth.reports.charts import cheapest_rung_map
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.cheapest_rung_map import DecisionMap
from wordworth.reports.charts.palette import SeriesStyle

SIZES = [Size("wide", 552, 400), Size("phone", 358, 400)]
CHEAP, DEAR = SeriesStyle(1, "square"), SeriesStyle(6, "circle")


def a_map(rungs: list[list[str | None]], *, doubt: bool = False) -> DecisionMap:
    return DecisionMap(
        labels=tuple(100.0 * 2**place for place in range(len(rungs[0]))),
        texts=tuple(1000.0 * 10**place for place in range(len(rungs))),
        rung=tuple(map(tuple, rungs)),
        uncertain=tuple(tuple(doubt for _ in row) for row in rungs),
        names={"a": "TF-IDF", "b": "MiniLM"},
        styles={"a": CHEAP, "b": DEAR},
        describe=lambda row, column: (str(rungs[row][column]),),
        here=200.0,
    )


def area(svg: str, look: str) -> float:
    """Pixels covered by a region: its path is made of rectangles."""
    path = re.search(rf'd="([^"]*)" class="region {look}"', svg)
    corners = re.findall(r"M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)", path[1] if path else "")
    return sum((float(right) - float(left)) * (float(low) - float(high)) for left, low, right, high in corners)


def test_regions_cover_the_map_in_proportion_to_their_cells() -> None:
    svg = cheapest_rung_map.draw(a_map([["b", "b", "a", "a"], ["b", "a", "a", "a"]]), SIZES[0], "x").svg
    assert area(svg, "series-1") / area(svg, "series-6") == pytest.approx(5 / 3, rel=0.02)
    assert ">TF-IDF</text>" in svg
    assert ">MiniLM</text>" in svg


def test_only_doubtful_cells_are_hatched() -> None:
    assert 'class="doubt"' in cheapest_rung_map.draw(a_map([["a", "b"]], doubt=True), SIZES[0], "x").svg
    assert 'class="doubt"' not in cheapest_rung_map.draw(a_map([["a", "b"]]), SIZES[0], "x").svg


def test_a_cell_in_doubt_is_no_rungs_region_and_says_so() -> None:
    svg = cheapest_rung_map.draw(a_map([["a", "b"]], doubt=True), SIZES[0], "x").svg
    assert area(svg, "series-1") == area(svg, "series-6") == 0
    assert ">cannot tell yet</text>" in svg


def test_a_cell_that_no_rung_holds_stays_empty() -> None:
    drawing = cheapest_rung_map.draw(a_map([["a", None], ["a", None]]), SIZES[0], "x")
    assert drawing.stops[1].lines == ((None, "None"),)
    assert area(drawing.svg, "series-1") < 0.6 * 552 * 400


def test_a_map_of_one_cell_is_drawn() -> None:
    assert "NaN" not in cheapest_rung_map.draw(a_map([["a"]]), SIZES[1], "x").svg
