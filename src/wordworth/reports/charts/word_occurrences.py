"""The chart of a word's occurrences in a plane: a marker for each, with the colour and shape of its sense."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.svg import Markup, tag

_WIDTH, _HEIGHT, _EDGE, _MARK = 360, 260, 14, 5.0
_BESIDE, _DOWN = 9, 4
"""Pixels from the centre of a mark to the edge of its number, and from the centre of the number to its baseline."""
_SIDES = ((1, 0, "start"), (-1, 0, "end"), (0, -1, "middle"), (0, 1, "middle"))
"""Possible positions of a number: right, left, above, below."""
_MIDDLE = 13
"""Pixels from the centre of a mark to the centre of its number."""
_UNDER = 3
"""Distance of two markers' centres in pixels below which they look like one."""


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An occurrence of a word as a point in a plane: position, style, tooltip, and the number beside it, if any."""

    x: float
    y: float
    style: SeriesStyle
    tooltip: str
    number: str = ""


def draw(occurrences: Sequence[Occurrence], text: str) -> Markup:
    """Draw a word's occurrences as points in a plane, with equal units in both directions and numbers on top.

    Args:
        occurrences: the points.
        text: description of the picture for readers who do not see it.
    """
    pixels = _pixels(occurrences)
    frame = tag("rect", x=0.5, y=0.5, width=_WIDTH - 1, height=_HEIGHT - 1, class_="border-thin")
    marks = [
        tag(
            "g",
            tag("title", occurrence.tooltip),
            marker(occurrence.style, x, y, size=_MARK),
            class_=occurrence.style.css,
        )
        for occurrence, (x, y) in zip(occurrences, pixels, strict=True)
    ]
    numbers = [
        _number_label(occurrences, pixels, mark) for mark, occurrence in enumerate(occurrences) if occurrence.number
    ]
    shape = f"0 0 {_WIDTH} {_HEIGHT}"
    return tag("svg", frame, *marks, *numbers, class_="map", viewBox=shape, role="img", aria_label=text)


def covered(occurrences: Sequence[Occurrence]) -> int:
    """Return the number of markers that are hidden under another marker, which is drawn later."""
    pixels = _pixels(occurrences)
    return sum(any(dist(pixel, other) < _UNDER for other in pixels[mark + 1 :]) for mark, pixel in enumerate(pixels))


def _pixels(occurrences: Sequence[Occurrence]) -> list[Point]:
    """Return the position of each marker in the picture, in pixels."""
    across, up = ([getattr(occurrence, axis) for occurrence in occurrences] for axis in ("x", "y"))
    whole = max((max(across) - min(across)) / (_WIDTH - 2 * _EDGE), (max(up) - min(up)) / (_HEIGHT - 2 * _EDGE), 1e-9)
    left, top = (_WIDTH - (max(across) + min(across)) / whole) / 2, (_HEIGHT + (max(up) + min(up)) / whole) / 2
    return [(left + occurrence.x / whole, top - occurrence.y / whole) for occurrence in occurrences]


def _number_label(occurrences: Sequence[Occurrence], pixels: Sequence[Point], mark: int) -> Markup:
    """Write the number of a mark on the side where other marks are furthest away, inside the picture."""
    occurrence, (x, y) = occurrences[mark], pixels[mark]
    others = [*pixels[:mark], *pixels[mark + 1 :]]

    def room(side: tuple[int, int, str]) -> float:
        middle = x + _MIDDLE * side[0], y + _MIDDLE * side[1]
        inside = _DOWN < middle[0] < _WIDTH - _DOWN and _BESIDE < middle[1] < _HEIGHT - _BESIDE
        return min((dist(middle, other) for other in others), default=_WIDTH) if inside else -1.0

    across, down, anchor = max(_SIDES, key=room)
    at = x + _BESIDE * across, y + _MIDDLE * down + _DOWN
    css = f"{occurrence.style.css} direct strong halo"
    return tag("text", occurrence.number, x=at[0], y=at[1], class_=css, text_anchor=anchor)
