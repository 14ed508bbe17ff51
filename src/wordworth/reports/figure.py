"""A chart on the page: its finding as the title, two drawings of it, the table behind it, and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from wordworth.reports.charts.axes import Drawing, Size
from wordworth.reports.tables import Grid

WIDE, PHONE = 552, 358


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart as the template shows it; without drawings, `absent` gives the reason.

    `text` describes the chart in words. The notes are under the chart; how to read it is folded.
    """

    name: str
    title: str
    text: str
    drawings: tuple[Drawing, ...] = ()
    table: Grid | None = None
    notes: tuple[str, ...] = ()
    absent: str = ""
    reading: tuple[str, ...] = ()


def drawn(draw: Callable[[Size, str], Drawing], name: str, *, height: int) -> tuple[Drawing, ...]:
    """Draw a chart for a wide page and for a phone."""
    sizes = (Size("wide", WIDE, height), Size("phone", PHONE, height))
    return tuple(draw(size, f"{name}-title") for size in sizes)


def pointers(figures: Iterable[Figure]) -> dict[str, Any]:
    """Return the data with which the page's script answers a pointer: each figure's stops in words and in pixels."""
    return {figure.name: _pointer(figure.drawings) for figure in figures if figure.drawings}


def _pointer(drawings: tuple[Drawing, ...]) -> dict[str, Any]:
    stops, across = drawings[0].stops, drawings[0].across
    words = [[stop.title, [["" if style is None else style.css, line] for style, line in stop.lines]] for stop in stops]
    pixels = [[[round(stop.x, 1), round(stop.y, 1)] for stop in drawing.stops] for drawing in drawings]
    return {"across": across, "words": words, "places": pixels}
