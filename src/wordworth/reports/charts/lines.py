"""Line charts: a line for each series, named at its end, with bands of intervals and dashed predictions.

The null of a point, the value that chance alone would give, is on a dotted line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from wordworth.reports.charts.axes import (
    SMALL,
    Box,
    Drawing,
    HoverPoint,
    Scale,
    Size,
    bottom_axis,
    left_axis,
    nice_ticks,
    outside_axis,
    padded,
    plot_box,
    root,
    spread_labels,
    whisker,
)
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.svg import Markup, path, tag, text_width, wrapped, wrapped_within

_FEW_POINTS = 12
"""Number of points on a line above which markers are smaller."""
_DOTTED = "1 4"
_APART = 18
"""Pixels between lines with a single point each, which are drawn side by side."""


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a line.

    Attributes:
        x: horizontal value.
        value: vertical value.
        low, high: ends of the interval; None without one.
        null: the value that chance alone would give; None without one.
        predicted: True for a value that was extrapolated, not measured.
    """

    x: float
    value: float
    low: float | None = None
    high: float | None = None
    null: float | None = None
    predicted: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """The points of one series in order.

    Attributes:
        name: name of the series.
        style: colour and marker of the series.
        points: the points, by rising x.
        strong: whether the line is highlighted.
        may_leave_axis: whether the line's values may lie outside the vertical axis, so that they do not stretch it.
        band: whether intervals are drawn; many overlapping bands cannot be read.
        named: whether the name is written beside the last point.
        dash: dash pattern of a reference line, which has no markers; empty for a measured line.
        reach: largest horizontal distance from a point of the line to a tooltip that still lists the point.
        shift: pixels by which the line is moved to the right.
    """

    name: str
    style: SeriesStyle
    points: tuple[Point, ...]
    strong: bool = False
    may_leave_axis: bool = False
    band: bool = True
    named: bool = True
    dash: str = ""
    reach: float = 1e-9
    shift: float = 0.0

    @property
    def css(self) -> str:
        """The CSS classes of the line's elements."""
        return self.style.css + " strong" * self.strong


@dataclass(frozen=True, slots=True)
class HorizontalAxis:
    """The horizontal axis of a line chart.

    Attributes:
        title: title of the axis.
        low, high: range of the axis.
        ticks: values that are marked.
        tick: function that writes a value on the axis.
        stop: function that writes a value of the axis as the title of the tooltip at that value.
        log: whether the axis is logarithmic.
    """

    title: str
    low: float
    high: float
    ticks: Sequence[float]
    tick: Callable[[float], str]
    stop: Callable[[float], str]
    log: bool = False

    @classmethod
    def of_updates(cls, last: int) -> HorizontalAxis:
        """Return the horizontal axis for the updates of a training, from 0 to the last update."""
        return cls("updates", 0, last, nice_ticks(0, last), "{:,.0f}".format, lambda x: f"update {x:,.0f}")


@dataclass(frozen=True, slots=True)
class LineChart:
    """The data of a line chart.

    Attributes:
        lines: the series.
        x: the horizontal axis.
        title: title of the vertical axis.
        tick: function that writes a value on the vertical axis.
        describe: function that writes a point as a line of a tooltip.
        ranked: whether a tooltip lists the highest value first.
        least_span: least range of the vertical axis.
        most_listed: largest number of lines that are named at their ends and listed in a tooltip; None for all.
    """

    lines: Sequence[Line]
    x: HorizontalAxis
    title: str
    tick: Callable[[float], str]
    describe: Callable[[Line, Point], str]
    ranked: bool = True
    least_span: float = 0.0
    most_listed: int | None = None

    @property
    def stops(self) -> list[float]:
        """The horizontal values that have a tooltip: the x of every point of the lines that have no `dash`."""
        return sorted({point.x for line in self.lines if not line.dash for point in line.points})


@dataclass(frozen=True, slots=True)
class _Plot:
    box: Box
    x: Scale
    y: Scale

    def pixel(self, line: Line, point: Point) -> tuple[float, float]:
        return self.x(point.x) + line.shift, self.y(point.value)


def draw(chart: LineChart, size: Size, label: str) -> Drawing:
    """Draw a line chart.

    Args:
        chart: data of the chart, in which at least one line without a `dash` has a point.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    plot, alone = _plot(chart, size), len(chart.stops) == 1
    inside = [line for line in chart.lines if any(plot.y.low <= p.value <= plot.y.high for p in line.points)]
    lines = _side_by_side(inside) if alone else inside
    beyond = [(line.name, line.style, line.points[-1].value) for line in chart.lines if line not in inside]
    parts = [
        _predicted_area(plot, chart.lines),
        left_axis(plot.box, plot.y, nice_ticks(plot.y.low, plot.y.high), chart.tick, title=chart.title),
        bottom_axis(plot.box, plot.x, chart.x.ticks, chart.x.tick, title=chart.x.title),
        *(_band(plot, line) for line in lines if line.band or alone),
        *(_null(plot, line) for line in lines),
        *(_line(plot, line) for line in sorted(lines, key=lambda line: line.strong)),
        _names(plot, [line for line in lines if line.named][: chart.most_listed], size),
        outside_axis(beyond, plot.box, plot.y, chart.tick),
    ]
    return Drawing(root(size, label, *parts), tuple(_hover_points(plot, chart)), across=True)


def _plot(chart: LineChart, size: Size) -> _Plot:
    box = plot_box(size, left=46, right=_margin(chart, size))
    alone = len(chart.stops) == 1
    stretching = [line for line in chart.lines if not line.may_leave_axis] or chart.lines
    ends = [end for line in stretching for p in line.points for end in _bounds(p, band=line.band or alone)]
    room = max(0.0, chart.least_span - (max(ends) - min(ends))) / 2
    y = box.upward(*padded([min(ends) - room, max(ends) + room]))
    return _Plot(box, box.across(chart.x.low, chart.x.high, log=chart.x.log), y)


def _bounds(point: Point, *, band: bool) -> Iterator[float]:
    """Yield the values of a point that the axis must include; the band of a prediction may run beyond it."""
    ends = (point.low, point.high) if band and not point.predicted else ()
    yield from (end for end in (point.value, point.null, *ends) if end is not None)


def _margin(chart: LineChart, size: Size) -> float:
    """Return the room for the names at the right in pixels, each on one line or two."""
    widths = [
        text_width(part, SMALL, bold=line.strong) for line in chart.lines if line.named for part in wrapped(line.name)
    ]
    return min(max(widths) + 30, size.width * 0.36) if widths else 16


def _side_by_side(lines: Sequence[Line]) -> list[Line]:
    """Return copies of lines of one point each, shifted to stand beside each other, the first furthest left."""
    middle = (len(lines) - 1) / 2
    return [replace(line, shift=_APART * (index - middle)) for index, line in enumerate(lines)]


def _predicted_area(plot: _Plot, lines: Sequence[Line]) -> Markup:
    """Shade and label the part of the axis that holds only predictions."""
    measured = [point.x for line in lines for point in line.points if not point.predicted]
    if not measured or not any(point.predicted for line in lines for point in line.points):
        return Markup("")
    box, left = plot.box, plot.x(max(measured))
    shade = tag("rect", x=left, y=box.top, width=box.right - left, height=box.bottom - box.top, class_="future")
    return shade + tag("text", "predicted", x=box.right, y=box.top - 6, class_="aside", text_anchor="end")


def _band(plot: _Plot, line: Line) -> Markup:
    """Draw the intervals of a line as a band, or as a whisker if only one point has an interval."""
    ends = [
        (plot.x(point.x) + line.shift, plot.y(point.low), plot.y(point.high))
        for point in line.points
        if point.low is not None and point.high is not None
    ]
    if not ends:
        return Markup("")
    if len(ends) == 1:
        return tag("g", whisker(*ends[0]), class_=line.style.css)
    outline = [(x, high) for x, _, high in ends] + [(x, low) for x, low, _ in reversed(ends)]
    return tag("path", d=path(outline, closed=True), class_=f"band {line.css}")


def _null(plot: _Plot, line: Line) -> Markup:
    """Draw the null of a line as a dotted line, or as a short bar if only one point has a null."""
    nulls = [(plot.x(point.x) + line.shift, plot.y(point.null)) for point in line.points if point.null is not None]
    if not nulls:
        return Markup("")
    if len(nulls) == 1:
        ((x, y),) = nulls
        nulls = [(x, y), (x + 14, y)]
    dotted = tag("path", d=path(nulls), class_="line", stroke_dasharray=_DOTTED, stroke_linecap="round")
    return tag("g", dotted, class_=f"curve {line.style.css} null-of")


def _line(plot: _Plot, line: Line) -> Markup:
    known = [point for point in line.points if not point.predicted]
    beyond = known[-1:] + [point for point in line.points if point.predicted]
    joined = path([plot.pixel(line, point) for point in known])
    parts = [tag("path", d=joined, class_="line", stroke_dasharray=line.dash or None)]
    if len(beyond) > 1:
        parts.append(tag("path", d=path([plot.pixel(line, point) for point in beyond]), class_="line guess"))
    if not line.dash:
        size = 3.4 if len(line.points) <= _FEW_POINTS else 2.6
        parts += [marker(line.style, *plot.pixel(line, p), size=size, hollow=p.predicted) for p in line.points]
    return tag("g", *parts, class_=f"curve {line.css}")


def _names(plot: _Plot, lines: Sequence[Line], size: Size) -> Markup:
    """Write each name beside its line's last point, moved apart where names would touch, with a thin leader line."""
    lasts = [plot.pixel(line, line.points[-1]) for line in lines]
    room = size.width - plot.box.right - 22
    texts = [wrapped_within(line.name, SMALL, room, bold=line.strong) for line in lines]
    gap = 16 + 11 * (max(map(len, texts), default=1) - 1)
    heights = spread_labels([y for _, y in lasts], gap, plot.box.top + 4, plot.box.bottom - 4)
    parts = [
        _name(line, last, (plot.box.right, height), words)
        for line, last, height, words in zip(lines, lasts, heights, texts, strict=True)
    ]
    return Markup("").join(parts)


def _name(line: Line, last: tuple[float, float], end: tuple[float, float], texts: Sequence[str]) -> Markup:
    right, height = end
    x = right + 20
    leader = path([(last[0] + 5, last[1]), (right + 8, height), (x - 4, height)])
    words = [
        tag(
            "text",
            text,
            x=x,
            y=height + 4 + 13 * (row - (len(texts) - 1) / 2),
            class_="direct" + " strong" * line.strong,
        )
        for row, text in enumerate(texts)
    ]
    return tag("g", tag("path", d=leader, class_="leader"), *words, class_=line.style.css)


def _hover_points(plot: _Plot, chart: LineChart) -> Iterator[HoverPoint]:
    for x in chart.stops:
        near = [(line, point) for line in chart.lines if (point := _nearest(line, x)) is not None]
        if chart.ranked:
            near.sort(key=lambda pair: -pair[1].value)
        first = next(point for line, point in near if not line.dash)
        lines = tuple((line.style, chart.describe(line, point)) for line, point in near[: chart.most_listed])
        yield HoverPoint(plot.x(x), plot.y(first.value), chart.x.stop(x), lines)


def _nearest(line: Line, x: float) -> Point | None:
    """Return the point of a line nearest to x, if it is within the line's reach."""
    nearest = min(line.points, key=lambda point: abs(point.x - x))
    return nearest if abs(nearest.x - x) <= line.reach else None
