"""The chart of a two-dimensional embedding: points that are drawn as labels, with equal units on both axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import Drawing, HoverPoint, Size, root
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.charts.svg import tag

_EDGE = 16


@dataclass(frozen=True, slots=True)
class PlanePoint:
    """A labelled point of a plane.

    Attributes:
        x: horizontal position.
        y: vertical position, upwards.
        label: text that is written at the point.
        style: style whose colour the label has.
        title: title of the tooltip.
        line: text of the tooltip.
    """

    x: float
    y: float
    label: str
    style: SeriesStyle
    title: str
    line: str


def draw(points: Sequence[PlanePoint], size: Size, label: str) -> Drawing:
    """Draw labelled points in a plane, with equal units on both axes.

    Args:
        points: the points, at least one.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    middle = [(max(values) + min(values)) / 2 for values in ([p.x for p in points], [p.y for p in points])]
    reach = [max(values) - min(values) for values in ([p.x for p in points], [p.y for p in points])]
    room = size.width - 2 * _EDGE, size.height - 2 * _EDGE
    unit = min((pixels / length for pixels, length in zip(room, reach, strict=True) if length > 0), default=1.0)
    frame = tag("rect", x=0.5, y=0.5, width=size.width - 1, height=size.height - 1, class_="border-thin")
    parts, stops = [frame], []
    for point in points:
        x = size.width / 2 + (point.x - middle[0]) * unit
        y = size.height / 2 - (point.y - middle[1]) * unit
        text = tag("text", point.label, x=x, y=y + 4, text_anchor="middle", class_="direct halo strong")
        parts.append(tag("g", text, class_=point.style.css))
        stops.append(HoverPoint(x, y, point.title, ((None, point.line),)))
    return Drawing(root(size, label, *parts), tuple(stops))
