"""Occurrences of a word in a plane: a marker each, its colour and its shape the sense's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from wordworth.reports.charts.palette import SeriesStyle, marker
from wordworth.reports.charts.svg import Markup, tag

_WIDTH, _HEIGHT, _EDGE, _MARK = 360, 260, 14, 5.0
_BESIDE, _DOWN = 9, 4
"""Pixels from a mark's middle to its number's edge, and from the number's middle to its foot."""
_SIDES = ((1, 0, "start"), (-1, 0, "end"), (0, -1, "middle"), (0, 1, "middle"))
"""Where a number may stand: right, left, above, below."""
_MIDDLE = 13
"""Pixels from a mark's middle to that of its number."""
_UNDER = 3
"""Marks whose middles are nearer than so many pixels are one to the eye."""


Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A point of the plane, how it is drawn, what a reader sees who points at it, and a number beside it if any."""

    x: float
    y: float
    look: SeriesStyle
    said: str
    number: str = ""


def draw(occurrences: Sequence[Occurrence], text: str) -> Markup:
    """The picture, one unit as long across as upward; `text` says it in words. Numbers lie on top."""
    places = _places(occurrences)
    frame = tag("rect", x=0.5, y=0.5, width=_WIDTH - 1, height=_HEIGHT - 1, class_="border-thin")
    marks = [
        tag("g", tag("title", one.said), marker(one.look, x, y, size=_MARK), class_=one.look.css)
        for one, (x, y) in zip(occurrences, places, strict=True)
    ]
    numbers = [_number(occurrences, places, mark) for mark, one in enumerate(occurrences) if one.number]
    shape = f"0 0 {_WIDTH} {_HEIGHT}"
    return tag("svg", frame, *marks, *numbers, class_="map", viewBox=shape, role="img", aria_label=text)


def covered(occurrences: Sequence[Occurrence]) -> int:
    """How many marks lie under another that is drawn later."""
    places = _places(occurrences)
    return sum(any(dist(one, other) < _UNDER for other in places[mark + 1 :]) for mark, one in enumerate(places))


def _places(occurrences: Sequence[Occurrence]) -> list[Place]:
    """Where each mark stands in the picture, in pixels."""
    across, up = ([getattr(one, axis) for one in occurrences] for axis in ("x", "y"))
    whole = max((max(across) - min(across)) / (_WIDTH - 2 * _EDGE), (max(up) - min(up)) / (_HEIGHT - 2 * _EDGE), 1e-9)
    left, top = (_WIDTH - (max(across) + min(across)) / whole) / 2, (_HEIGHT + (max(up) + min(up)) / whole) / 2
    return [(left + one.x / whole, top - one.y / whole) for one in occurrences]


def _number(occurrences: Sequence[Occurrence], places: Sequence[Place], mark: int) -> Markup:
    """At the side of the mark where the other marks are furthest, and inside the picture."""
    one, (x, y) = occurrences[mark], places[mark]
    others = [*places[:mark], *places[mark + 1 :]]

    def room(side: tuple[int, int, str]) -> float:
        middle = x + _MIDDLE * side[0], y + _MIDDLE * side[1]
        inside = _DOWN < middle[0] < _WIDTH - _DOWN and _BESIDE < middle[1] < _HEIGHT - _BESIDE
        return min((dist(middle, other) for other in others), default=_WIDTH) if inside else -1.0

    across, down, anchor = max(_SIDES, key=room)
    at = x + _BESIDE * across, y + _MIDDLE * down + _DOWN
    look = f"{one.look.css} direct strong halo"
    return tag("text", one.number, x=at[0], y=at[1], class_=look, text_anchor=anchor)
