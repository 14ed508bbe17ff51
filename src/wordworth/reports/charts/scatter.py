"""Scatter charts: named points with vertical intervals over a logarithmic axis, such as scores over costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

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
    nice_ticks,
    outside_axis,
    padded,
    padded_log,
    plot_box,
    root,
    whisker,
)
from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.svg import Markup, fit, tag, text_width, wrapped

_LINE, _REACH = 13, 210
"""The height of a line of a name, and how far above and below its point a name may be, in pixels."""


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """A point with its interval along y.

    Attributes:
        name: name that is written beside the point.
        style: colour and marker of the point.
        x: horizontal value, above 0, as the axis is logarithmic.
        y: vertical value.
        low: lower end of the interval; None without one.
        high: upper end of the interval; None without one.
        details: lines of the tooltip, under the name.
        strong: whether the point is highlighted.
        may_leave_axis: whether the point may lie outside the vertical axis, so that it does not stretch the axis.
    """

    name: str
    style: SeriesStyle
    x: float
    y: float
    low: float | None
    high: float | None
    details: tuple[str, ...]
    strong: bool = False
    may_leave_axis: bool = False


@dataclass(frozen=True, slots=True)
class ScatterChart:
    """The data of a scatter chart.

    Attributes:
        points: the points.
        x_title, y_title: title of each axis.
        x_tick, y_tick: function that writes a value on each axis.
        include: further values that the vertical axis must include.
        highest: greatest possible vertical value, above which the axis does not go.
    """

    points: tuple[ScatterPoint, ...]
    x_title: str
    y_title: str
    x_tick: Callable[[float], str]
    y_tick: Callable[[float], str]
    include: tuple[float, ...] = ()
    highest: float = math.inf


def draw(chart: ScatterChart, size: Size, label: str) -> Drawing:
    """Draw a scatter chart.

    Args:
        chart: data of the chart, with at least one point.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    box = plot_box(size, left=40, right=14)
    stretching = [point for point in chart.points if not point.may_leave_axis] or list(chart.points)
    ends = [end for point in stretching for end in (point.y, point.low, point.high) if end is not None]
    low, high = padded([*ends, *chart.include], 0.1)
    y = box.upward(low, min(high, chart.highest))
    visible = [point for point in chart.points if y.low <= point.y <= y.high]
    x = box.across(*padded_log([point.x for point in visible], 2.2), log=True)
    hidden = [(point.name, point.style, point.y) for point in chart.points if point not in visible]
    foot = (box.left, box.bottom - 6 - 15 * len(hidden), box.right, box.bottom)
    parts = [
        left_axis(box, y, nice_ticks(y.low, y.high), chart.y_tick, title=chart.y_title),
        bottom_axis(box, x, log_ticks(x.low, x.high), chart.x_tick, title=chart.x_title),
        *(_point(point, x, y) for point in visible),
        *_names(visible, x, y, box, [foot] if hidden else []),
        outside_axis(hidden, box, y, chart.y_tick),
    ]
    stops = tuple(
        HoverPoint(x(point.x), y(point.y), point.name, tuple((None, line) for line in point.details))
        for point in visible
    )
    return Drawing(root(size, label, *parts), stops)


def _point(point: ScatterPoint, x: Scale, y: Scale) -> Markup:
    at = x(point.x)
    parts = [] if point.low is None or point.high is None else [whisker(at, y(point.low), y(point.high))]
    parts.append(marker(point.style, at, y(point.y), size=5))
    return tag("g", *parts, class_=point.style.css + " strong" * point.strong)


_NAMES_COUNT, _SPACE = 3, 3
"""How many times as bad it is that a name covers another as that it covers an interval, where some name has to; and the
pixels of space above and below a name."""
Room = tuple[float, float, float, float]
"""A rectangle: left, top, right, bottom in pixels."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name in one line or two, and its room: the rectangle that the name covers, in pixels."""

    lines: tuple[str, ...]
    room: Room


def _names(points: Sequence[ScatterPoint], x: Scale, y: Scale, box: Box, taken: Sequence[Room]) -> list[Markup]:
    """Draw a name beside each point, where it touches no other name, no point and no interval if there is such a place.

    Elsewhere the halo of the name interrupts what runs through it. Where names would cover each other, all are placed
    again, and rather cover an interval.

    `taken` are the rooms of what else is written in the plot.
    """
    bodies = [_body(point, x, y) for point in points]
    positions = [
        list(_positions(point, (x(point.x), y(point.y)), body, box)) for point, body in zip(points, bodies, strict=True)
    ]
    centres = [(x(point.x), y(point.y)) for point in points]
    order = sorted(range(len(points)), key=lambda index: -points[index].strong)
    names = _placed(order, positions, centres, [*taken, *bodies], times=1)
    if _collide(list(names.values())):
        names = _placed(order, positions, centres, [*taken, *bodies], times=_NAMES_COUNT)
    return [_drawn_name(points[index], name) for index, name in names.items()]


def _placed(
    order: Sequence[int],
    positions: Sequence[Sequence[_Name]],
    centres: Sequence[tuple[float, float]],
    taken: Sequence[Room],
    *,
    times: int,
) -> dict[int, _Name]:
    """Place the names one after another, each where it has the least fault; return index of a point -> its name.

    Args:
        order: the indices of the points, in the order in which their names are placed.
        positions: for each point the places that its name may take.
        centres: for each point its position.
        taken: the rooms that are taken already.
        times: how many times as bad it is to cover another name as to cover what is in `taken`.
    """
    rooms, names = [*taken], dict[int, _Name]()
    for index in order:
        faults = {name: _fault(name, centres[index], rooms) for name in positions[index]}
        names[index] = min(faults, key=faults.__getitem__)
        rooms += times * [names[index].room]
    return names


def _collide(names: Sequence[_Name]) -> bool:
    """Return True if two names cover each other, by more than the space around them."""
    rooms = [(left, top + _SPACE, right, bottom - _SPACE) for left, top, right, bottom in (name.room for name in names)]
    return any(_overlap(first, second) for first, second in combinations(rooms, 2))


def _drawn_name(point: ScatterPoint, name: _Name) -> Markup:
    left, top, _, _ = name.room
    css = "direct halo" + " strong" * point.strong
    lines = [tag("text", line, x=left, y=top + 13 + _LINE * row, class_=css) for row, line in enumerate(name.lines)]
    return tag("g", *lines, class_=point.style.css)


def _body(point: ScatterPoint, x: Scale, y: Scale) -> Room:
    at, middle = x(point.x), y(point.y)
    top = middle if point.high is None else y(point.high)
    bottom = middle if point.low is None else y(point.low)
    return at - 6, min(top, middle - 6), at + 6, max(bottom, middle + 6)


def _positions(point: ScatterPoint, at: tuple[float, float], own: Room, box: Box) -> Iterator[_Name]:
    """Yield the name on one line and on two: at the right and left of the point and its interval, above and below."""
    most = (box.right - box.left) * 0.7
    ways = dict.fromkeys(((point.name,), tuple(wrapped(point.name))))
    whole = [lines for lines in ways if all(text_width(line, SMALL, bold=point.strong) <= most for line in lines)]
    for lines in whole or ways:
        fitted = tuple(fit(line, SMALL, most, bold=point.strong) for line in lines)
        width, height = max(text_width(line, SMALL, bold=point.strong) for line in fitted), 4 + _LINE * len(fitted)
        x, low, high = at[0], own[1] - height - 2, own[3] + 2
        corners = [(x - width / 2, top) for top in (low, high)]
        steps = [at[1] - height / 2 + lift for lift in range(-_REACH, _REACH + 1, 7)]
        corners += [(left, top) for top in steps if low <= top <= high for left in (x + 10, x - 10 - width)]
        for left, top in corners:
            inside = min(max(left, box.left + 2), box.right + 12 - width)
            yield _Name(fitted, (inside, top, inside + width, top + height))


def _fault(name: _Name, at: tuple[float, float], taken: Sequence[Room]) -> tuple[float, float]:
    """Return the area of a name's room that is taken already, and the distance of the name from its point.

    Each line of the name adds to the distance.
    """
    left, top, right, bottom = name.room
    away = max(left - at[0], at[0] - right, 0.0) + abs((top + bottom) / 2 - at[1])
    return sum(_overlap(name.room, room) for room in taken), away + 20 * len(name.lines)


def _overlap(first: Room, second: Room) -> float:
    across = min(first[2], second[2]) - max(first[0], second[0])
    down = min(first[3], second[3]) - max(first[1], second[1])
    return max(0.0, across) * max(0.0, down)
