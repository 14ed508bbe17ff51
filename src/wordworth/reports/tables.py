"""`Grid`, `Column` and `Cell`: the tables of a page, and functions that make them from the rows of a record."""

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
    """The head of a table's column, with a title, whether the column holds numbers, and a `note` on its meaning.

    The note is shown on hover and read by screen readers.
    """

    title: str
    numeric: bool = True
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table.

    Attributes:
        text: the text of the cell.
        sort: key by which the cell is sorted; None to sort by `text`.
        detail: small text under the text.
        picture: SVG or HTML before the text.
        why: reason why the cell is empty; empty for a cell with a value.
    """

    text: str
    sort: float | str | None = None
    detail: str = ""
    picture: Markup = _NONE
    why: str = ""

    @property
    def order(self) -> str:
        """The sort key of the cell as text; empty for an empty cell, which is sorted last."""
        if self.sort is None:
            return "" if self.text == ABSENT else self.text
        return str(self.sort)


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of a page.

    Attributes:
        caption: title of the table.
        columns: heads of the columns.
        rows: the cells, row by row.
        sortable: whether the reader can sort the table by the buttons in its head.
        strong: indices of highlighted rows.
        strong_note: the reason why these rows are highlighted.
        sentence: sentence above a folded table; empty for none.
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
        """A hint to scroll: the titles of those columns of a sortable table for which a phone's screen has no room."""
        return ", ".join(column.title for column in self.columns[_PHONE:]) if self.sortable else ""


def plain(
    caption: str,
    heads: Sequence[str | Column],
    rows: Iterable[Sequence[Cell | str]],
    *,
    numeric: bool = True,
    words: Collection[str] = (),
) -> Grid:
    """Return a table of a page from cells or texts that are already made.

    Args:
        caption: title of the table.
        heads: for each column its title or its head.
        rows: the cells of each row.
        numeric: whether columns that are given by their titles hold numbers; the first column always holds words.
        words: titles of columns that hold words even if `numeric` is True.
    """
    columns = tuple(
        Column(head, numeric=numeric and index > 0 and head not in words) if isinstance(head, str) else head
        for index, head in enumerate(heads)
    )
    cells = tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row) for row in rows)
    return Grid(caption, columns, cells)


Field = tuple[Column, Callable[[Row], Cell | str]]
"""A column of a table: its head, and the function from a row of the record to its cell."""


def table_of(caption: str, fields: Sequence[Field], rows: Iterable[Row]) -> Grid:
    """Return a table of a page with a line for each row of a record's table, and a column for each field.

    Args:
        caption: title of the table.
        fields: for each column its head, and a function that takes a row and returns the column's cell or its text.
        rows: rows of a table of a record, each as name of a column -> value.
    """
    cells = [[make(row) for _, make in fields] for row in rows]
    lines = tuple(tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in line) for line in cells)
    return Grid(caption, tuple(column for column, _ in fields), lines)


CellMakers = Mapping[str | Column, str | Callable[[Row], Cell | str]]
"""Title or head of each column -> name of the record's column to write as it is, or function from a row to the cell."""


def row_table(
    caption: str,
    cells: CellMakers,
    rows: Iterable[Row],
    *,
    numeric: bool = True,
    words: Collection[str] = (),
) -> Grid:
    """Return a table of a page with a line for each row of a record's table, and a column for each entry of `cells`.

    Args:
        caption: title of the table.
        cells: title or head of each column -> what fills the column. A name stands for the column of that name of the
            record's table, whose values are written as they are. A function takes a row and returns the cell or its
            text.
        rows: rows of a table of a record, each as name of a column -> value.
        numeric: whether columns hold numbers; the first column always holds words.
        words: titles of columns that hold words even if `numeric` is True.
    """
    lines = [[str(row[make]) if isinstance(make, str) else make(row) for make in cells.values()] for row in rows]
    return plain(caption, tuple(cells), lines, numeric=numeric, words=words)


def value(name: str, write: Callable[[float | None], str], why: str = "") -> Callable[[Row], Cell]:
    """Return a function from a row to the cell with the number in a given column of the row.

    Args:
        name: name of the column.
        write: function that formats the number.
        why: reason for an empty cell.
    """
    return lambda row: Cell(write(finite(row.get(name))), why=why)


def with_interval(
    row: Row, name: str, write: Callable[[object], str] = exact, *, prefix: str = "", why: str = ""
) -> Cell:
    """Return the cell of the number in one column of a row, with its interval under it.

    Args:
        row: row of a table of the record, as name of a column -> value.
        name: column of the number.
        write: function that formats the number and both ends of the interval.
        prefix: prefix of the columns `low` and `high` of the interval.
        why: reason for an empty cell.
    """
    ends = interval(row[f"{prefix}low"], row[f"{prefix}high"], write)
    return Cell(write(row[name]), row[name], detail=ends, why=why)


def between(row: Row) -> str:
    """Return the interval in the columns `low` and `high` of a row, as `0.412 to 0.530`."""
    return f"{exact(row['low'])} to {exact(row['high'])}"
