"""The chart of the decision map: the cheapest rung that is good enough, by number of labels and of texts per month.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
Numbers of labels are across, texts per month upwards. The cells of a rung have the rung's colour. A cell is hatched if
the verdict at its number of labels is *cannot tell yet*.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from wordworth.reports.charts.axes import (
    SMALL,
    Box,
    Drawing,
    HoverPoint,
    Scale,
    Size,
    bottom_axis,
    left_axis,
    log_ticks,
    plot_box,
    root,
)
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.svg import Markup, tag, text_width
from wordworth.reports.number_format import short_count

Cell = tuple[int, int]
"""A cell (row, column): rows are numbers of texts per month, columns numbers of labels."""
_OPEN = ""
"""Value of uncertain cells in place of a rung's name; they belong to no rung's region."""
OPEN_NAME = "cannot tell yet"


@dataclass(frozen=True, slots=True)
class DecisionMap:
    """The data of a decision map: a cell for each number of texts per month (row) and of labels (column).

    Attributes:
        labels: numbers of labels, ascending.
        texts: numbers of texts per month, ascending.
        rung: for each cell [row][column] the name of the cheapest rung that is good enough; None if no rung is good
            enough there.
        uncertain: for each cell [row][column] whether the verdict is *cannot tell yet*.
        names: name of each rung -> its name for readers.
        styles: name of each rung -> its colour and marker.
        describe: function from row and column to the lines of the cell's tooltip.
        here: number of labels that the user has; None if it is not known.
    """

    labels: tuple[float, ...]
    texts: tuple[float, ...]
    rung: tuple[tuple[str | None, ...], ...]
    uncertain: tuple[tuple[bool, ...], ...]
    names: Mapping[str, str]
    styles: Mapping[str, SeriesStyle]
    describe: Callable[[int, int], tuple[str, ...]]
    here: float | None = None


@dataclass(frozen=True, slots=True)
class _Plot:
    box: Box
    columns: tuple[float, ...]
    rows: tuple[float, ...]


def draw(grid: DecisionMap, size: Size, label: str) -> Drawing:
    """Draw the decision map.

    Args:
        grid: data of the map, with at least one cell.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    box = plot_box(size, left=46, right=12)
    x, y = box.across(*_axis_range(grid.labels), log=True), box.upward(*_axis_range(grid.texts), log=True)
    plot = _Plot(box, _cell_borders(x, grid.labels), _cell_borders(y, grid.texts))
    hatch = f"{label}-hatch-{size.name}"
    parts = [
        _hatching(hatch),
        left_axis(box, y, log_ticks(y.low, y.high), short_count, title="texts a month (log scale)"),
        *(_region(plot, grid, rung) for rung in _rungs(grid)),
        _uncertain_area(plot, grid, hatch),
        _borders(plot, grid),
        _own_labels_line(plot, grid, x),
        *(_name(plot, _cells(grid, rung), grid.names[rung]) for rung in _rungs(grid)),
        _name(plot, _cells(grid, _OPEN), OPEN_NAME),
        bottom_axis(box, x, _label_ticks(grid.labels), lambda count: f"{count:,.0f}", title="labels (log scale)"),
    ]
    return Drawing(root(size, label, *parts), _stops(grid, x, y))


def _axis_range(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of an axis: half a cell beyond the first and last value."""
    if len(values) == 1:
        return values[0] / 2, values[0] * 2
    first, last = math.sqrt(values[1] / values[0]), math.sqrt(values[-1] / values[-2])
    return values[0] / first, values[-1] * last


def _cell_borders(scale: Scale, values: Sequence[float]) -> tuple[float, ...]:
    """Return the borders between cells in pixels: geometric means of neighbouring values."""
    between = [math.sqrt(before * after) for before, after in pairwise(values)]
    return tuple(scale(value) for value in (scale.low, *between, scale.high))


def _label_ticks(labels: Sequence[float]) -> Sequence[float]:
    """Return the actual numbers of labels if they are few, else round numbers."""
    return labels if len(labels) <= 8 else log_ticks(labels[0], labels[-1])  # noqa: PLR2004 - what an axis can hold


def _holders(grid: DecisionMap) -> list[list[str | None]]:
    """Return for each cell [row][column] the name of its region: its rung, a name for uncertain cells, or None."""
    return [
        [_OPEN if is_uncertain and rung is not None else rung for rung, is_uncertain in zip(*pair, strict=True)]
        for pair in zip(grid.rung, grid.uncertain, strict=True)
    ]


def _rungs(grid: DecisionMap) -> list[str]:
    return list(dict.fromkeys(rung for row in _holders(grid) for rung in row if rung))


def _cells(grid: DecisionMap, rung: str) -> set[Cell]:
    return {(r, c) for r, row in enumerate(_holders(grid)) for c, named in enumerate(row) if named == rung}


def _rectangles(plot: _Plot, cells: set[Cell]) -> str:
    """Return the cells as the `d` of one path, with neighbours in a row joined."""
    parts = []
    for row, group in groupby(sorted(cells), key=lambda cell: cell[0]):
        columns = [column for _, column in group]
        for run in _runs(columns):
            left, right = plot.columns[run[0]], plot.columns[run[-1] + 1]
            bottom, top = plot.rows[row], plot.rows[row + 1]
            parts.append(f"M{left:.1f} {bottom:.1f}H{right:.1f}V{top:.1f}H{left:.1f}Z")
    return "".join(parts)


def _runs(columns: Sequence[int]) -> list[list[int]]:
    runs: list[list[int]] = []
    for column in columns:
        if runs and runs[-1][-1] == column - 1:
            runs[-1].append(column)
        else:
            runs.append([column])
    return runs


def _region(plot: _Plot, grid: DecisionMap, rung: str) -> Markup:
    return tag("path", d=_rectangles(plot, _cells(grid, rung)), class_=f"region {grid.styles[rung].css}")


def _uncertain_area(plot: _Plot, grid: DecisionMap, hatch: str) -> Markup:
    cells = _cells(grid, _OPEN)
    return tag("path", d=_rectangles(plot, cells), fill=f"url(#{hatch})", class_="doubt") if cells else Markup("")


def _hatching(name: str) -> Markup:
    line = tag("line", x1=0, y1=0, x2=0, y2=7, class_="hatch")
    pattern = tag(
        "pattern", line, id=name, width=7, height=7, patternUnits="userSpaceOnUse", patternTransform="rotate(45)"
    )
    return tag("defs", pattern)


def _borders(plot: _Plot, grid: DecisionMap) -> Markup:
    """Draw lines between regions."""
    parts, holders = [], _holders(grid)
    for r, row in enumerate(holders):
        for c, rung in enumerate(row):
            if c + 1 < len(row) and row[c + 1] != rung:
                parts.append(f"M{plot.columns[c + 1]:.1f} {plot.rows[r]:.1f}V{plot.rows[r + 1]:.1f}")
            if r + 1 < len(holders) and holders[r + 1][c] != rung:
                parts.append(f"M{plot.columns[c]:.1f} {plot.rows[r + 1]:.1f}H{plot.columns[c + 1]:.1f}")
    return tag("path", d="".join(parts), class_="border") if parts else Markup("")


def _own_labels_line(plot: _Plot, grid: DecisionMap, x: Scale) -> Markup:
    if grid.here is None or not x.low <= grid.here <= x.high:
        return Markup("")
    at = x(grid.here)
    leftward = at > (plot.box.left + plot.box.right) / 2
    line = tag("line", x1=at, x2=at, y1=plot.box.top, y2=plot.box.bottom, class_="here")
    words = tag(
        "text",
        f"your {grid.here:,.0f}",
        x=at + (-5 if leftward else 5),
        y=plot.box.bottom - 8,
        class_="aside halo",
        text_anchor="end" if leftward else "start",
    )
    return line + words


def _name(plot: _Plot, cells: set[Cell], name: str) -> Markup:
    """Write a region's name where it has the most room, upright if the region is narrow, or not at all.

    Pointing at a region shows its name in any case.
    """
    if not cells:
        return Markup("")
    row, first, last = max(_stretches(cells), key=lambda run: _room(cells, *run))
    left, right = plot.columns[first], plot.columns[last + 1]
    middle = (plot.rows[row] + plot.rows[row + 1]) / 2
    if text_width(name, SMALL, bold=True) <= right - left - 6:
        return tag("text", name, x=(left + right) / 2, y=middle + 4, class_="area-name halo", text_anchor="middle")
    column, low, high = max(_columns(cells), key=lambda run: run[2] - run[1])
    bottom, top = plot.rows[low], plot.rows[high + 1]
    if text_width(name, SMALL, bold=True) > bottom - top - 8:
        return Markup("")
    x, y = (plot.columns[column] + plot.columns[column + 1]) / 2 + 4, (bottom + top) / 2
    turned = f"rotate(-90 {x:.1f} {y:.1f})"
    return tag("text", name, x=x, y=y, class_="area-name halo", text_anchor="middle", transform=turned)


def _columns(cells: set[Cell]) -> list[tuple[int, int, int]]:
    """Return every run of the region's cells in a column, as (column, lowest row, highest row)."""
    turned = {(column, row) for row, column in cells}
    return [(column, low, high) for column, low, high in _stretches(turned)]


def _stretches(cells: set[Cell]) -> list[tuple[int, int, int]]:
    """Return every run of the region's cells in a row, as (row, first column, last column)."""
    rows = groupby(sorted(cells), key=lambda cell: cell[0])
    return [(row, run[0], run[-1]) for row, group in rows for run in _runs([column for _, column in group])]


def _room(cells: set[Cell], row: int, first: int, last: int) -> float:
    """Score the position of a name: wide runs, with as many rows of the region above as below, score highest."""
    middle = (first + last) // 2
    above = below = 0
    while (row + above + 1, middle) in cells:
        above += 1
    while (row - below - 1, middle) in cells:
        below += 1
    return (last - first + 1) * (1 + min(above, below))


def _stops(grid: DecisionMap, x: Scale, y: Scale) -> tuple[HoverPoint, ...]:
    stops = []
    for r, texts in enumerate(grid.texts):
        for c, labels in enumerate(grid.labels):
            rung = grid.rung[r][c]
            style = None if rung is None else grid.styles[rung]
            first, *rest = grid.describe(r, c)
            lines = ((style, first), *((None, line) for line in rest))
            title = f"{labels:,.0f} labels, {short_count(texts)} texts a month"
            stops.append(HoverPoint(x(labels), y(texts), title, lines))
    return tuple(stops)
