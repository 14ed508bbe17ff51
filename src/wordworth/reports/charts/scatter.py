"""Scatter charts: named points with vertical intervals over a logarithmic axis, such as scores over costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
from wordworth.reports.charts.svg import Markup, fit, tag, text_width


@dataclass(frozen=True, slots=True)
class ScatterPoint:
    """A point with its interval along y.

    Attributes:
        name: written beside it.
        style: its colour and marker.
        x: above 0, as its axis is logarithmic.
        y: the value that `low` and `high` enclose.
        low: lower end of the interval; None without one.
        high: upper end of the interval; None without one.
        details: what the pointer shows under the name, line by line.
        strong: whether it is highlighted.
        floor: whether it is left out of the range of the y axis.
    """

    name: str
    style: SeriesStyle
    x: float
    y: float
    low: float | None
    high: float | None
    details: tuple[str, ...]
    strong: bool = False
    floor: bool = False


@dataclass(frozen=True, slots=True)
class ScatterChart:
    """The points of a chart, the titles of its axes, and what writes their ticks."""

    points: tuple[ScatterPoint, ...]
    x_title: str
    y_title: str
    x_tick: Callable[[float], str]
    y_tick: Callable[[float], str]


def draw(chart: ScatterChart, size: Size, label: str) -> Drawing:
    """Draw the chart at `size`; it needs at least one point."""
    box = plot_box(size, left=40, right=14)
    stretching = [point for point in chart.points if not point.floor] or list(chart.points)
    ends = [end for point in stretching for end in (point.y, point.low, point.high) if end is not None]
    y = box.upward(*padded(ends, 0.1))
    visible = [point for point in chart.points if y.low <= point.y <= y.high]
    x = box.across(*padded_log([point.x for point in visible], 2.2), log=True)
    hidden = [(point.name, point.style, point.y) for point in chart.points if point not in visible]
    parts = [
        left_axis(box, y, nice_ticks(y.low, y.high), chart.y_tick, title=chart.y_title),
        bottom_axis(box, x, log_ticks(x.low, x.high), chart.x_tick, title=chart.x_title),
        *(_point(point, x, y) for point in visible),
        *_names(visible, x, y, box),
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


Room = tuple[float, float, float, float]
"""A rectangle: left, top, right, bottom in pixels."""


def _names(points: Sequence[ScatterPoint], x: Scale, y: Scale, box: Box) -> list[Markup]:
    """Draw a name beside each point, in the first of several positions where it touches no other name or point."""
    taken: list[Room] = [_body(point, x, y) for point in points]
    parts = []
    for point in sorted(points, key=lambda point: -point.strong):
        words = fit(point.name, SMALL, (box.right - box.left) * (0.7 if point.strong else 0.45), bold=point.strong)
        width = text_width(words, SMALL, bold=point.strong)
        own_room = _body(point, x, y)
        candidates = _label_rooms(x(point.x), y(point.y), width, own_room, box)
        best = min(candidates, key=lambda room: sum(_overlap(room, other) for other in taken if other != own_room))
        taken.append(best)
        name = tag("text", words, x=best[0], y=best[3] - 4, class_="direct" + " strong" * point.strong)
        parts.append(tag("g", name, class_=point.style.css))
    return parts


def _body(point: ScatterPoint, x: Scale, y: Scale) -> Room:
    at, middle = x(point.x), y(point.y)
    top = middle if point.high is None else y(point.high)
    bottom = middle if point.low is None else y(point.low)
    return at - 6, min(top, middle - 6), at + 6, max(bottom, middle + 6)


def _label_rooms(x: float, y: float, width: float, own: Room, box: Box) -> list[Room]:
    """Return positions for a label: right and left of the point at several heights, then above and below it."""
    lifts, lefts = (0, -14, 14, -28, 28, -42, 42), (x + 10, x - 10 - width)
    rooms = [(left, y + lift - 9, left + width, y + lift + 8) for lift in lifts for left in lefts]
    rooms += [(x - width / 2, top, x + width / 2, top + 17) for top in (own[1] - 18, own[3] + 2)]
    inside = [room for room in rooms if room[0] >= box.left + 2 and room[2] <= box.right + 12]
    return inside or [(box.left + 2, y - 26, box.left + 2 + width, y - 9)]


def _overlap(first: Room, second: Room) -> float:
    across = min(first[2], second[2]) - max(first[0], second[0])
    down = min(first[3], second[3]) - max(first[1], second[1])
    return max(0.0, across) * max(0.0, down)
