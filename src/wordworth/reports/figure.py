"""`Figure`: a chart on a page, with its title, drawings for a wide page and a phone, table and notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from wordworth.reports.charts.axes import Drawing, Size
from wordworth.reports.tables import Grid

WIDE, PHONE = 552, 358


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart, as the HTML template of the page shows it.

    Attributes:
        name: name of the chart, unique on the page.
        title: title of the chart, which says in words what the chart shows.
        text: description in words for readers who do not see the drawing.
        drawings: the drawing for a wide page and the drawing for a phone; empty if the chart is not drawn.
        table: the numbers behind the chart; None without a table.
        notes: sentences under the chart.
        absent: the reason why the chart is not drawn; empty if it is drawn.
        reading: sentences on how to read the chart, collapsed until the reader opens them.
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
    """Draw a chart in two sizes, for a wide page and for a phone.

    Args:
        draw: function that takes a size and the id of the title on the page, and returns a drawing.
        name: name of the chart.
        height: height of the chart in pixels.
    """
    sizes = (Size("wide", WIDE, height), Size("phone", PHONE, height))
    return tuple(draw(size, f"{name}-title") for size in sizes)


def pointers(figures: Iterable[Figure]) -> dict[str, Any]:
    """Return name of each figure -> the tooltips of its drawings (position and lines), for the page's script."""
    return {figure.name: _pointer(figure.drawings) for figure in figures if figure.drawings}


def _pointer(drawings: tuple[Drawing, ...]) -> dict[str, Any]:
    stops, across = drawings[0].stops, drawings[0].across
    words = [[stop.title, [["" if style is None else style.css, line] for style, line in stop.lines]] for stop in stops]
    pixels = [[[round(stop.x, 1), round(stop.y, 1)] for stop in drawing.stops] for drawing in drawings]
    return {"across": across, "words": words, "places": pixels}
