"""Tables of a page: cells that know how they sort and, where empty, why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from wordworth.reports.number_format import ABSENT

_NONE = Markup()
_PHONE = 3
"""So many columns of a table fit on a phone."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head; `note` explains it on hover and to screen readers."""

    title: str
    numeric: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell shows: a `picture` before the text, a `detail` under it, and `why` it is empty where it is."""

    text: str
    sort: float | str | None = None
    detail: str = ""
    picture: Markup = _NONE
    why: str = ""

    @property
    def order(self) -> str:
        """What the cell sorts by; nothing for an empty cell, which sorts last."""
        if self.sort is None:
            return "" if self.text == ABSENT else self.text
        return str(self.sort)


@dataclass(frozen=True, slots=True)
class Grid:
    """A whole table; `strong` rows stand out with a note why, and a sortable one has buttons for heads."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sortable: bool = False
    strong: frozenset[int] = frozenset()
    strong_note: str = ""

    @property
    def further(self) -> str:
        """The heads of a sortable table that a phone has no room for, as a hint to look there."""
        return ", ".join(column.title for column in self.columns[_PHONE:]) if self.sortable else ""


def plain(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, numeric: bool = True) -> Grid:
    """A table of finished words; its first column holds names, the others numbers where `numeric`."""
    columns = tuple(Column(head, numeric=numeric and place > 0) for place, head in enumerate(heads))
    return Grid(caption, columns, tuple(tuple(Cell(text) for text in row) for row in rows))
