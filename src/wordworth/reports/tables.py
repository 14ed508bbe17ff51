"""The tables of a page: cells that know how they sort and, if they are empty, why."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from wordworth.reports.number_format import ABSENT, exact, finite, interval
from wordworth.reports.record_view import Row

_NONE = Markup()
_PHONE = 3
"""Number of columns of a table that fit on a phone."""


@dataclass(frozen=True, slots=True)
class Column:
    """The head of a column; `note` explains it on hover and to screen readers."""

    title: str
    numeric: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """The content of a cell: a `picture` before the text, a `detail` under it, and `why` it is empty if it is."""

    text: str
    sort: float | str | None = None
    detail: str = ""
    picture: Markup = _NONE
    why: str = ""

    @property
    def order(self) -> str:
        """The sort key of the cell; empty for an empty cell, which sorts last."""
        if self.sort is None:
            return "" if self.text == ABSENT else self.text
        return str(self.sort)


@dataclass(frozen=True, slots=True)
class Grid:
    """A whole table; `strong` rows are highlighted with a note why, and a sortable table has buttons in its head.

    A folded table has its `sentence`, if there is one, above it.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    sortable: bool = False
    strong: frozenset[int] = frozenset()
    strong_note: str = ""
    sentence: str = ""

    @property
    def further(self) -> str:
        """The columns of a sortable table that do not fit on a phone, as a hint to scroll there."""
        return ", ".join(column.title for column in self.columns[_PHONE:]) if self.sortable else ""


def plain(
    caption: str,
    heads: Sequence[str | Column],
    rows: Iterable[Sequence[Cell | str]],
    *,
    numeric: bool = True,
    words: Collection[str] = (),
) -> Grid:
    """Return a table of finished cells or texts.

    Args:
        caption: title of the table.
        heads: titles of the columns, or their heads.
        rows: the cells of each row.
        numeric: whether the columns after the first hold numbers, of those given by their titles.
        words: the titles of columns that hold words all the same.
    """
    columns = tuple(
        Column(head, numeric=numeric and index > 0 and head not in words) if isinstance(head, str) else head
        for index, head in enumerate(heads)
    )
    cells = tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows)
    return Grid(caption, columns, cells)


Field = tuple[Column, Callable[[Row], Cell | str]]
"""A column of a table of rows: its head, and what makes the cell of a row."""


def table_of(caption: str, fields: Sequence[Field], rows: Iterable[Row]) -> Grid:
    """Return a table of rows of the record, one cell for each field."""
    cells = [[make(row) for _, make in fields] for row in rows]
    lines = tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in line) for line in cells)
    return Grid(caption, tuple(column for column, _ in fields), lines)


CellMakers = Mapping[str | Column, str | Callable[[Row], Cell | str]]
"""Title or head of each column -> the column of the record that is written as it is, or what makes its cells."""


def row_table(
    caption: str,
    cells: CellMakers,
    rows: Iterable[Row],
    *,
    numeric: bool = True,
    words: Collection[str] = (),
) -> Grid:
    """Return a table with a line for each row of the record.

    Args:
        caption: title of the table.
        cells: title of each column -> what is written in it.
        rows: the rows.
        numeric: whether the columns after the first hold numbers.
        words: the titles of columns that hold words all the same.
    """
    lines = [[str(row[make]) if isinstance(make, str) else make(row) for make in cells.values()] for row in rows]
    return plain(caption, tuple(cells), lines, numeric=numeric, words=words)


def value(name: str, write: Callable[[float | None], str], why: str = "") -> Callable[[Row], Cell]:
    """Return a function that makes a cell of the number in one column of a row; `why` it is empty if it is."""
    return lambda row: Cell(write(finite(row.get(name))), why=why)


def with_interval(
    row: Row, name: str, write: Callable[[object], str] = exact, *, prefix: str = "", why: str = ""
) -> Cell:
    """Return the cell of the number in one column of a row, with its interval under it.

    Args:
        row: the row.
        name: the column of the number.
        write: writes the number and both ends.
        prefix: the ends are in the columns of this prefix and `low` or `high`.
        why: why the cell is empty if it is.
    """
    ends = interval(row[f"{prefix}low"], row[f"{prefix}high"], write)
    return Cell(write(row[name]), row[name], detail=ends, why=why)


def between(row: Row) -> str:
    """Return the cell of the interval in the columns `low` and `high` of a row, `0.412 to 0.530`."""
    return f"{exact(row['low'])} to {exact(row['high'])}"
