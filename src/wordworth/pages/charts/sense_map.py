"""Occurrences of a word in a plane: a marker each, its colour and its shape the sense's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.pages.charts.palette import Look, marker
from wordworth.pages.charts.svg import Markup, tag

_WIDTH, _HEIGHT, _EDGE, _MARK = 360, 260, 14, 5.0
_BESIDE, _DOWN = 9, 4
"""Pixels from a mark's middle to its number."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A point of the plane, how it is drawn, what a reader sees who points at it, and a number beside it if any."""

    x: float
    y: float
    look: Look
    said: str
    number: str = ""


def draw(occurrences: Sequence[Occurrence], text: str) -> Markup:
    """The picture, one unit as long across as upward; `text` says it in words. Numbers lie on top."""
    across, up = ([getattr(one, axis) for one in occurrences] for axis in ("x", "y"))
    whole = max((max(across) - min(across)) / (_WIDTH - 2 * _EDGE), (max(up) - min(up)) / (_HEIGHT - 2 * _EDGE), 1e-9)
    left, top = (_WIDTH - (max(across) + min(across)) / whole) / 2, (_HEIGHT + (max(up) + min(up)) / whole) / 2
    places = [(one, left + one.x / whole, top - one.y / whole) for one in occurrences]
    frame = tag("rect", x=0.5, y=0.5, width=_WIDTH - 1, height=_HEIGHT - 1, class_="border-thin")
    marks = [
        tag("g", tag("title", one.said), marker(one.look, x, y, size=_MARK), class_=one.look.css)
        for one, x, y in places
    ]
    numbers = [_number(one, x, y) for one, x, y in places if one.number]
    shape = f"0 0 {_WIDTH} {_HEIGHT}"
    return tag("svg", frame, *marks, *numbers, class_="map", viewBox=shape, role="img", aria_label=text)


def _number(one: Occurrence, x: float, y: float) -> Markup:
    """At the right of the mark, or at its left where the picture ends."""
    ends = x > _WIDTH - 2 * _EDGE
    at, anchor = (x - _BESIDE, "end") if ends else (x + _BESIDE, "start")
    look = f"{one.look.css} direct strong halo"
    return tag("text", one.number, x=at, y=y + _DOWN, class_=look, text_anchor=anchor)
