"""A heat map has a square for each cell, with names that fit, rows and columns of any number."""

import re

import pytest

from wordworth.reports.charts import heat_map
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.heat_map import HeatCell, HeatMap
from wordworth.reports.charts.palette import SeriesStyle


def drawn(rows, columns, width=552):
    cells = [[HeatCell(0.5, SeriesStyle(6, "square"), "1.2", f"{r} {c}", "1.2") for c in columns] for r in rows]
    return heat_map.draw(HeatMap(tuple(rows), tuple(columns), cells, "rows and columns"), Size("w", width, 0), "label")


@pytest.mark.parametrize("width", [552, 358])
def test_rows_and_columns_may_differ_in_number(width):
    found = drawn(["a", "b"], ["x", "y", "a rather long word"], width)
    squares = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)"', found.svg)
    assert len(squares) == 6
    assert [stop.title for stop in found.stops][:3] == ["a x", "a y", "a a rather long word"]
    assert max(float(x) + float(size) for x, size in squares) <= width


def test_names_are_escaped():
    assert "<script>" not in drawn(["<script>"], ["<script>"]).svg


def test_a_head_that_the_model_lost_has_a_square_that_says_so():
    cell = HeatCell(0.5, SeriesStyle(6, "square"), "1.2", "here", "1.2")
    data = heat_map.of_heads({(1, 1): cell, (2, 2): cell, (2, 1): cell}, "heads")
    found = heat_map.draw(data, Size("w", 552, 0), "label")
    assert found.svg.count('class="share"') == 4
    assert [stop.title for stop in found.stops if "removed" in stop.lines[0][1]] == ["layer 1, head 2"]
    assert "× removed" in data.foot
    assert "removed" not in heat_map.of_heads({(1, 1): cell}, "heads").foot


@pytest.mark.parametrize(("in_percent", "text", "line"), [(True, "25", "25.0 %"), (False, "0.2", "0.25 nats")])
def test_the_head_with_the_largest_value_is_the_darkest(in_percent, text, line):
    cells = heat_map.measured({(1, 1): 0.25, (1, 2): 0.5}, in_percent=in_percent)
    assert [cell.strength for cell in cells.values()] == [0.5, 1.0]
    assert (cells[1, 1].text, cells[1, 1].line, cells[1, 1].title) == (text, line, "layer 1, head 1")


def test_where_nothing_was_measured_no_head_is_dark():
    assert heat_map.measured({(1, 1): 0.0}, in_percent=True)[1, 1].strength == 0.0
