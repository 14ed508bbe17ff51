"""Occurrences of a word in a plane: a marker each, its colour and its shape the sense's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.pages.charts.palette import Look, marker
from wordworth.pages.charts.svg import Markup, tag

_WIDTH, _HEIGHT, _EDGE, _MARK = 360, 260, 14, 5.0


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A point of the plane, how it is drawn, and what a reader sees who points at it."""

    x: float
    y: float
    look: Look
    said: str


def draw(occurrences: Sequence[Occurrence], text: str) -> Markup:
    """The picture, one unit as long across as upward; `text` says it in words."""
    across, up = ([getattr(one, axis) for one in occurrences] for axis in ("x", "y"))
    whole = max((max(across) - min(across)) / (_WIDTH - 2 * _EDGE), (max(up) - min(up)) / (_HEIGHT - 2 * _EDGE), 1e-9)
    left, top = (_WIDTH - (max(across) + min(across)) / whole) / 2, (_HEIGHT + (max(up) + min(up)) / whole) / 2
    frame = tag("rect", x=0.5, y=0.5, width=_WIDTH - 1, height=_HEIGHT - 1, class_="border-thin")
    marks = [
        tag(
            "g",
            tag("title", one.said),
            marker(one.look, left + one.x / whole, top - one.y / whole, size=_MARK),
            class_=one.look.css,
        )
        for one in occurrences
    ]
    shape = f"0 0 {_WIDTH} {_HEIGHT}"
    return tag("svg", frame, *marks, class_="map", viewBox=shape, role="img", aria_label=text)
