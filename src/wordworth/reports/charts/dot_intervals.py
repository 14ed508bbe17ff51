"""Charts of dots with intervals, in rows under headings; and a single dot with its interval for a cell of a table.

The null of a dot is the value that chance alone would give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import (
    SMALL,
    Box,
    Drawing,
    HoverPoint,
    Scale,
    Size,
    bottom_axis,
    level_whisker,
    nice_ticks,
    padded,
    root,
)
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.svg import Markup, fit, path, tag, text_width, wrapped_within

_DOT, _ROOM, _LEAST, _HEAD, _FOOT, _LEGEND = 12, 10, 26, 30, 46, 20
_LINE, _GAP = 13, 12
"""Height of a line of a name, and pixels between it and the plot."""
_CELL_WIDTH, _CELL_HEIGHT = 108, 18
Described = tuple[tuple[SeriesStyle | None, str], ...]
"""Lines of a row's tooltip, each with the style whose marker stands before it."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A value with its interval, drawn as a dot.

    Attributes:
        style: colour and marker.
        value: the value; None draws no dot.
        low, high: ends of the interval; None to draw no interval.
        null: the value that chance alone would give; None if it is not known.
        name: name of the series in the legend.
        hollow: whether only the outline of the marker is drawn.
    """

    style: SeriesStyle
    value: float | None
    low: float | None = None
    high: float | None = None
    null: float | None = None
    name: str = ""
    hollow: bool = False


@dataclass(frozen=True, slots=True)
class DotRow:
    """A row of dots.

    Attributes:
        name: name of the row, which is written at its left.
        dots: the dots, one below the other, or all on one line if `overlaid`.
        described: lines of the row's tooltip, below its title.
        title: title of the tooltip; if empty, the row's name is used.
        short: shorter name, for a phone on which the name does not fit on two lines.
        strong: whether the row is highlighted.
        absent: text in place of the dots if no dot has a value.
        overlaid: whether all dots are on one line.
    """

    name: str
    dots: tuple[Dot, ...]
    described: Described
    title: str = ""
    short: str = ""
    strong: bool = False
    absent: str = ""
    overlaid: bool = False

    @property
    def values(self) -> list[float]:
        """The values of the dots, without those that are None."""
        return [dot.value for dot in self.dots if dot.value is not None]

    @property
    def height(self) -> int:
        """The height of the row in pixels."""
        return max(_LEAST, _ROOM + _DOT * (1 if self.overlaid else len(self.dots)))


@dataclass(frozen=True, slots=True)
class DotChart:
    """The data of a chart of dots.

    Attributes:
        groups: headings, each with its rows; a group with an empty heading has a line above it.
        axis: title of the horizontal axis.
        tick: function that writes a value on the axis.
        include: further values that the horizontal axis must include.
        references: values with names at which vertical lines are drawn; values outside the axis are left out.
        null_name: label above the first null (the value that chance alone would give), which is drawn as a grey stroke.
        legend: whether a legend above the plot lists the names of the dots.
        rules: whether a thin horizontal line is drawn through each row.
    """

    groups: tuple[tuple[str, tuple[DotRow, ...]], ...]
    axis: str
    tick: Callable[[float], str]
    include: tuple[float, ...] = ()
    references: tuple[tuple[float, str], ...] = ((0.0, ""),)
    null_name: str = ""
    legend: bool = False
    rules: bool = True

    @property
    def dots(self) -> list[Dot]:
        """Every dot that has a value."""
        return [dot for _, rows in self.groups for row in rows for dot in row.dots if dot.value is not None]

    @property
    def names(self) -> dict[str, SeriesStyle]:
        """Name of each series in the legend -> its style; empty for a chart without a legend."""
        dots = [dot for _, rows in self.groups for row in rows for dot in row.dots]
        return {dot.name: dot.style for dot in dots} if self.legend else {}


def height(chart: DotChart) -> int:
    """Return the height in pixels that a chart needs, with room for a legend of one name per line."""
    rows = sum(_HEAD * bool(title) + sum(row.height for row in rows) for title, rows in chart.groups)
    return 22 + rows + _FOOT + _LEGEND * len(chart.names) + _LINE * chart.legend


def draw(chart: DotChart, size: Size, label: str) -> Drawing:
    """Draw a chart of dots with intervals.

    Args:
        chart: data of the chart, in which at least one dot has a value.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    legend, top = _legend(chart, size)
    left = 124 if size.narrow else 184
    box = Box(left=left, top=top, right=size.width - 14, bottom=size.height - _FOOT)
    ends = [end for dot in chart.dots for end in (dot.value, dot.low, dot.high, dot.null) if end is not None]
    x = box.across(*padded([*ends, *chart.include]))
    parts, stops, y = [legend], list[HoverPoint](), top
    for index, (title, rows) in enumerate(chart.groups):
        parts.append(_heading(title, y, box) if title or index else Markup(""))
        y += _HEAD * bool(title)
        for row in rows:
            name = _name_lines(row, left - _GAP, narrow=size.narrow)
            tall = max(row.height, _LINE * len(name) + 4 * (len(name) > 1))
            row_parts = _row(row, chart, x, y + tall / 2, box, name)
            parts.extend(row_parts if chart.legend else [tag("g", *row_parts, class_=row.dots[0].style.css)])
            at = x(row.values[-1]) if row.values else (x.start + x.end) / 2
            stops.append(HoverPoint(at, y + tall / 2, row.title or row.name, row.described))
            y += tall
    rows_top = top + _HEAD * bool(chart.groups[0][0])
    box = Box(box.left, rows_top, box.right, y + 4)
    lines = [_reference(value, name, x, box) for value, name in chart.references]
    axis = bottom_axis(box, x, nice_ticks(x.low, x.high, 5), chart.tick, title=chart.axis)
    fitted = Size(size.name, size.width, round(box.bottom) + _FOOT)
    return Drawing(root(fitted, label, *lines, *parts, _null_name(chart, x, box), axis), tuple(stops))


def _legend(chart: DotChart, size: Size) -> tuple[Markup, float]:
    """Draw the legend above the plot, wrapped into lines, and return it with the height where it ends."""
    named = any(name for _, name in chart.references)
    if not chart.names:
        return Markup(""), 22 if named else 8
    parts, x, y = list[Markup](), 0.0, 12.0
    for name, style in chart.names.items():
        label = fit(name, SMALL, size.width - 24)
        wide = 18 + text_width(label, SMALL) + 18
        if x and x + wide > size.width:
            x, y = 0.0, y + _LEGEND
        mark = tag("g", marker(style, x + 6, y - 4, size=5), class_=style.css)
        parts.append(mark + tag("text", label, x=x + 18, y=y))
        x += wide
    return Markup("").join(parts), y + 4 + _LINE * named


def _heading(title: str, y: float, box: Box) -> Markup:
    if title:
        return tag("text", title, x=0, y=y + 20, class_="group halo")
    return tag("line", x1=box.left, x2=box.right, y1=y, y2=y, class_="axis")


def _row(row: DotRow, chart: DotChart, x: Scale, y: float, box: Box, name: Sequence[str]) -> Iterator[Markup]:
    if chart.rules:
        yield tag("line", x1=box.left, x2=box.right, y1=y, y2=y, class_="grid")
    for index, line in enumerate(name):
        lift = _LINE * (index - (len(name) - 1) / 2)
        yield tag("text", line, x=0, y=y + 4 + lift, class_="direct" + " strong" * row.strong)
    if row.absent and not any(dot.value is not None and not dot.hollow for dot in row.dots):
        yield tag("text", row.absent, x=_clear_of(chart, row.absent, x, box), y=y + 4, class_="aside halo")
    for index, dot in enumerate(row.dots):
        if dot.value is not None:
            offset = 0.0 if row.overlaid else _DOT * (index - (len(row.dots) - 1) / 2)
            yield _dot(dot, dot.value, x, y + offset)


def _name_lines(row: DotRow, width: float, *, narrow: bool) -> list[str]:
    """Return the lines of a row's name; on a phone, of the short name if the whole one needs more than two lines."""
    lines = wrapped_within(row.name, SMALL, width, bold=row.strong)
    if narrow and row.short and " ".join(lines[:2]) != row.name:
        return wrapped_within(row.short, SMALL, width, bold=row.strong)
    return lines


def _clear_of(chart: DotChart, words: str, x: Scale, box: Box) -> float:
    """Return the left edge, in pixels, of the text that replaces dots.

    The text begins at the left of the plot, or to the right of a reference line that would cross it.
    """
    left, width = box.left + 6, text_width(words, SMALL)
    crossing = [at for value, _ in chart.references if left < (at := x(value)) < left + width]
    return max((at + 6 for at in crossing if at + 6 + width <= box.right), default=left)


def _dot(dot: Dot, value: float, x: Scale, y: float) -> Markup:
    parts = []
    if dot.low is not None and dot.high is not None:
        parts.append(level_whisker(y, x(dot.low), x(dot.high)))
    parts.append(marker(dot.style, x(value), y, size=4.5 if dot.hollow else 5, hollow=dot.hollow))
    if dot.null is not None:
        parts.append(tag("path", d=path([(x(dot.null), y - 8), (x(dot.null), y + 8)]), class_="null"))
    return tag("g", *parts, class_=dot.style.css)


def _reference(value: float, name: str, x: Scale, box: Box) -> Markup:
    """Draw a vertical line at a value from the first row on, with its name above it."""
    if not x.low <= value <= x.high:
        return Markup("")
    at = x(value)
    if not name:
        return tag("line", x1=at, x2=at, y1=box.top, y2=box.bottom, class_="zero")
    late = at > (box.left + box.right) / 2
    anchor = "end" if late else "start"
    words = tag("text", name, x=at + (-6 if late else 6), y=box.top - 8, class_="aside", text_anchor=anchor)
    return tag("line", x1=at, x2=at, y1=box.top - 4, y2=box.bottom, class_="here") + words


def _null_name(chart: DotChart, x: Scale, box: Box) -> Markup:
    """Write the chart's `null_name` beside the first null that is drawn."""
    null = next((dot.null for dot in chart.dots if dot.null is not None), None)
    if null is None or not chart.null_name:
        return Markup("")
    return tag("text", chart.null_name, x=x(null), y=box.top - 8, class_="aside tiny halo", text_anchor="middle")


def cell_scale(low: float, high: float) -> Scale:
    """Return the horizontal scale from `low` to `high` that all cells of a table share."""
    return Scale(low, high, 6, _CELL_WIDTH - 6)


def draw_in_cell(value: float, low: float | None, high: float | None, *, scale: Scale, style: SeriesStyle) -> Markup:
    """Draw a value with its interval as a small picture for a cell of a table.

    A value outside the scale is drawn as an arrow at the edge.

    Args:
        value: the value.
        low: lower end of the interval; None without one.
        high: upper end of the interval; None without one.
        scale: the scale of the table.
        style: colour and marker of the dot.
    """
    middle = _CELL_HEIGHT / 2
    if not scale.low <= value <= scale.high:
        tip, back = (1, 7) if value < scale.low else (_CELL_WIDTH - 1, _CELL_WIDTH - 7)
        shape = tag("polygon", points=f"{tip},{middle} {back},{middle - 4} {back},{middle + 4}", class_="marker")
    else:
        whisker = "" if low is None or high is None else level_whisker(middle, scale(low), scale(high))
        shape = Markup("").join([whisker, marker(style, scale(value), middle, size=4)])
    return tag(
        "svg",
        shape,
        class_=f"interval {style.css}",
        viewBox=f"0 0 {_CELL_WIDTH} {_CELL_HEIGHT}",
        width=_CELL_WIDTH,
        height=_CELL_HEIGHT,
        aria_hidden="true",
    )
