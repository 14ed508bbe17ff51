"""The chart of many points in a plane: groups differ in colour and shape, and numbered labels name them.

The points of a group are a single SVG path, so that thousands of points need few bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wordworth.reports.charts.axes import Drawing, HoverPoint, Size, root
from wordworth.reports.charts.palette import SeriesStyle, markers_path
from wordworth.reports.charts.svg import Markup, tag, text_width

_EDGE, _FONT, _LINE = 12, 12.0, 15
_MOST_SIZE, _LEAST_SIZE = 3.2, 1.7
_SHIFTS = (0, -1, 1, -2, 2, -3, 3, -4, 4)
"""Lines by which a label may be moved up or down from its place, in the order in which they are tried."""

Pixel = tuple[float, float]


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A point of the map.

    Attributes:
        x: horizontal position, to the right.
        y: vertical position, upwards.
        style: colour and marker of the point's group.
        title: first line of the tooltip.
        text: second line of the tooltip; empty for a tooltip of one line.
    """

    x: float
    y: float
    style: SeriesStyle
    title: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class MapLabel:
    """The position, the style and the text of a label on a map of points."""

    x: float
    y: float
    style: SeriesStyle
    text: str


@dataclass(frozen=True, slots=True)
class PointMap:
    """The data of the chart: at least one point, and labels, the most important first."""

    points: Sequence[MapPoint]
    labels: Sequence[MapLabel] = ()


def draw(chart: PointMap, size: Size, label: str) -> Drawing:
    """Draw a map of points, with equal units in both directions.

    Args:
        chart: the points with their labels.
        size: size of the drawing.
        label: id of the element with the chart's title on the page.
    """
    scale = _Scale.of([(point.x, point.y) for point in chart.points], size)
    pixels = [scale(point.x, point.y) for point in chart.points]
    radius = min(_MOST_SIZE, max(_LEAST_SIZE, 60 / len(pixels) ** 0.5))
    parts = [
        tag("rect", x=0.5, y=0.5, width=size.width - 1, height=size.height - 1, class_="border-thin"),
        *_dots(chart.points, pixels, radius),
        *_labels(chart.labels, scale, size),
    ]
    stops = tuple(
        HoverPoint(*pixel, point.title, ((None, point.text),) if point.text else ())
        for pixel, point in zip(pixels, chart.points, strict=True)
    )
    return Drawing(root(size, label, *parts), stops)


@dataclass(frozen=True, slots=True)
class _Scale:
    """A scale from the coordinates of points to pixels of the drawing, with equal units in both directions."""

    left: float
    top: float
    unit: float

    @classmethod
    def of(cls, pixels: Sequence[Pixel], size: Size) -> _Scale:
        across, up = zip(*pixels, strict=True)
        room = size.width - 2 * _EDGE, size.height - 2 * _EDGE
        unit = max((max(across) - min(across)) / room[0], (max(up) - min(up)) / room[1], 1e-9)
        left = size.width / 2 - (max(across) + min(across)) / 2 / unit
        return cls(left, size.height / 2 + (max(up) + min(up)) / 2 / unit, unit)

    def __call__(self, x: float, y: float) -> Pixel:
        return self.left + x / self.unit, self.top - y / self.unit


def _dots(points: Sequence[MapPoint], pixels: Sequence[Pixel], radius: float) -> Iterable[Markup]:
    """Draw the points of each style as one SVG path."""
    by_style: dict[SeriesStyle, list[Pixel]] = {}
    for point, pixel in zip(points, pixels, strict=True):
        by_style.setdefault(point.style, []).append(pixel)
    for style, own in by_style.items():
        yield tag("path", d=markers_path(style, own, radius), class_=f"dots {style.css}")


def _labels(labels: Sequence[MapLabel], scale: _Scale, size: Size) -> Iterable[Markup]:
    """Write each label at its position, or above or below if another label is there; leave it out if it has no room."""
    taken = list[tuple[float, float, float]]()
    for label in labels:
        x, y = scale(label.x, label.y)
        half = text_width(label.text, _FONT, bold=True) / 2
        x = min(max(x, half + 4), size.width - half - 4)
        for shift in _SHIFTS:
            base = y + 4 + shift * _LINE
            free = all(abs(base - other) >= _LINE or abs(x - at) >= half + wide + 6 for at, other, wide in taken)
            if free and _LINE <= base <= size.height - 4:
                taken.append((x, base, half))
                css = f"direct strong halo {label.style.css}"
                yield tag("text", label.text, x=x, y=base, class_=css, text_anchor="middle")
                break
