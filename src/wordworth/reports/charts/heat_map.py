"""The chart of a heat map: a square for each row and column, whose darkness is a value and whose hue a category."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import SMALL, Box, Drawing, HoverPoint, Size, root
from wordworth.reports.charts.palette import SERIES, SeriesStyle
from wordworth.reports.charts.svg import Markup, fit, tag, text_width, wrapped_within

_LEAST, _LEAST_NARROW, _MOST = 20, 12, 64
_FOOT, _LINE = 30, 13


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A square of the heat map.

    Attributes:
        strength: darkness, from 0 to 1.
        style: style that gives the square its hue.
        text: text that is written in the square if there is room; empty for none.
        title, line: title and text of the tooltip.
    """

    strength: float
    style: SeriesStyle
    text: str
    title: str
    line: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """The data of a heat map.

    Attributes:
        rows: names of the rows.
        columns: names of the columns.
        cells: squares [row][column].
        foot: line of text under the map that explains the squares.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Sequence[Sequence[HeatCell]]
    foot: str


def of_heads(cells: Mapping[tuple[int, int], HeatCell], foot: str) -> HeatMap:
    """Return the heat map of a transformer's attention heads: a row for each layer, a column for each head.

    Args:
        cells: (layer, head), both from 1 -> square of that head; a head without a square is marked as removed.
        foot: line under the map that explains the squares.
    """
    layers, heads = (range(1, max(numbers) + 1) for numbers in zip(*cells, strict=True))
    rows = [[cells.get((layer, head)) or _removed(layer, head) for head in heads] for layer in layers]
    foot += " · × removed" * any((layer, head) not in cells for layer in layers for head in heads)
    return HeatMap(tuple(f"layer {layer}" for layer in layers), tuple(map(str, heads)), rows, foot)


def measured(values: Mapping[tuple[int, int], float], *, in_percent: bool) -> dict[tuple[int, int], HeatCell]:
    """Return (layer, head) -> the square of that attention head in a heat map.

    The darkness of a square is its value divided by the largest value.

    Args:
        values: (layer, head), both from 1 -> value.
        in_percent: True if values are shares of 1, which are written in percent; False if they are in nats.
    """
    largest = max(values.values())
    return {
        (layer, head): HeatCell(
            strength=value / largest if largest else 0.0,
            style=SERIES[0],
            text=f"{100 * value:.0f}" if in_percent else f"{value:.1f}",
            title=f"layer {layer}, head {head}",
            line=f"{100 * value:.1f} %" if in_percent else f"{value:.2f} nats",
        )
        for (layer, head), value in values.items()
    }


def _removed(layer: int, head: int) -> HeatCell:
    return HeatCell(0.0, SERIES[0], "×", f"layer {layer}, head {head}", "removed from the model")


def height(data: HeatMap) -> int:
    """Return the height in pixels of the drawing for a wide page; the drawing for a phone needs less."""
    return round(_top(data) + _side(data, Size("wide", 552, 0)) * len(data.rows) + _FOOT)


def draw(data: HeatMap, size: Size, label: str) -> Drawing:
    """Draw a heat map.

    Args:
        data: data of the heat map.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    edge, left, top = _side(data, size), _left(data, size), _top(data)
    box = Box(left=left, top=top, right=left + edge * len(data.columns), bottom=top + edge * len(data.rows))
    parts, stops = [_row_names(data, size, box, edge), _column_names(data, box, edge)], []
    for row, cells in enumerate(data.cells):
        for column, cell in enumerate(cells):
            x, y = box.left + edge * column, box.top + edge * row
            parts.append(_square((x, y, edge), cell))
            stops.append(HoverPoint(x + edge / 2, y + edge / 2, cell.title, ((None, cell.line),)))
    foot = tag("text", data.foot, x=0, y=box.bottom + 20, class_="axis-title")
    fitted = Size(size.name, size.width, round(box.bottom + _FOOT))
    return Drawing(root(fitted, label, *parts, foot), tuple(stops))


def _square(at: tuple[float, float, float], cell: HeatCell) -> Markup:
    x, y, edge = at
    square = tag("rect", x=x + 1, y=y + 1, width=edge - 2, height=edge - 2, class_="share",
                 fill_opacity=f"{0.04 + 0.5 * cell.strength:.3f}")  # fmt: skip
    small = text_width(cell.text, 11) > edge - 4
    words = "" if small or not cell.text else tag("text", cell.text, x=x + edge / 2, y=y + edge / 2 + 4,
                                                  text_anchor="middle", class_="tick-label count")  # fmt: skip
    return tag("g", square, words, class_=cell.style.css)


def _row_names(data: HeatMap, size: Size, box: Box, edge: float) -> Markup:
    room = _left(data, size) - 10
    most = max(1, int(edge // _LINE))
    parts = []
    for row, name in enumerate(data.rows):
        lines = wrapped_within(name, SMALL, room, most=most)
        for number, line in enumerate(lines):
            y = box.top + edge * (row + 0.5) + 4 + _LINE * (number - (len(lines) - 1) / 2)
            parts.append(tag("text", line, x=box.left - 6, y=y, text_anchor="end"))
    return Markup("").join(parts)


def _column_names(data: HeatMap, box: Box, edge: float) -> Markup:
    """Write the name of each column horizontally if it fits into the width of a square, else vertically."""
    parts = []
    for column, name in enumerate(data.columns):
        x, y = box.left + edge * (column + 0.5), box.top - 6
        if text_width(name, SMALL) <= edge:
            parts.append(tag("text", name, x=x, y=y, text_anchor="middle"))
        else:
            above = fit(name, SMALL, _top(data) - 6)
            parts.append(tag("text", above, x=x + 4, y=y, transform=f"rotate(-90 {x + 4:.1f} {y:.1f})"))
    return Markup("").join(parts)


def _side(data: HeatMap, size: Size) -> float:
    """Return the width of a square in pixels."""
    room = size.width - _left(data, size) - 12
    return min(_MOST, max(_LEAST_NARROW if size.narrow else _LEAST, room / len(data.columns)))


def _left(data: HeatMap, size: Size) -> float:
    return min(_longest(data.rows) + 10, 90 if size.narrow else 150)


def _top(data: HeatMap) -> float:
    longest = _longest(data.columns)
    return 22 if longest <= _LEAST else min(longest + 12, 110)


def _longest(names: Sequence[str]) -> float:
    return max(text_width(name, SMALL) for name in names)
