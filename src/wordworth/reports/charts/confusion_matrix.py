"""The chart of a confusion matrix: a square for each pair of classes, darker for a larger share of its row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.reports.charts import heat_map
from wordworth.reports.charts.axes import Drawing, Size
from wordworth.reports.charts.heat_map import HeatCell, HeatMap
from wordworth.reports.charts.palette import SeriesStyle

_WRONG, _RIGHT = SeriesStyle(7, "square"), SeriesStyle(6, "square")


@dataclass(frozen=True, slots=True)
class Matrix:
    """The data of a confusion matrix: names of the classes, and the number of items [gold class][predicted class]."""

    names: tuple[str, ...]
    counts: Sequence[Sequence[int]]


def height(data: Matrix) -> int:
    """Return the height in pixels of the drawing for a wide page; the drawing for a phone needs less."""
    return heat_map.height(_map(data))


def draw(data: Matrix, size: Size, label: str) -> Drawing:
    """Draw a confusion matrix, with a row for each gold label and a column for each prediction.

    Args:
        data: names of the classes, and counts.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    return heat_map.draw(_map(data), size, label)


def _map(data: Matrix) -> HeatMap:
    cells = [[_cell(data, row, column) for column in range(len(data.names))] for row in range(len(data.names))]
    return HeatMap(data.names, data.names, cells, "rows: gold label · columns: prediction")


def _cell(data: Matrix, row: int, column: int) -> HeatCell:
    count, whole = data.counts[row][column], sum(data.counts[row])
    share = f"{100 * count / whole:.1f} % of {whole:,}" if whole else "no example has this label"
    return HeatCell(
        strength=count / whole if whole else 0.0,
        style=_RIGHT if row == column else _WRONG,
        text=f"{count:,}" if count else "",
        title=f"gold {data.names[row]}, predicted {data.names[column]}",
        line=f"{count:,}, {share}",
    )
