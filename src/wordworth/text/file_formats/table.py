"""`TextTable`: a file as named columns of text, each row with its position in the file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from wordworth.errors import BadInput, nearest
from wordworth.records import Finding

Unit = Literal["line", "row"]


@dataclass(frozen=True, slots=True)
class TextTable:
    """The n rows of a file, as named columns of text cells.

    A cell that holds several values (such as the words of a sentence) is a JSON array of strings; a missing value is
    "".

    Attributes:
        columns: column name -> its n cells, exactly as written.
        path: the file as the user named it.
        sha256: hash of the file's bytes as stored, 64 hexadecimal digits.
        positions: [n] the number of the line (or row) of the file at which each row begins, from 1.
        unit: the noun for a position in messages, such as `line`.
        document_of: [n] the index of each sentence's document, from 0; None if the file marks no documents.
        notes: warnings about ambiguities in how the file was read, named `warning.*`.
        indices: [n] index of each row among all rows of the file, from 0; None unless rows were left out.
        file_rows: number of rows in the file; None unless rows were left out.
    """

    columns: Mapping[str, list[str]]
    path: str
    sha256: str
    positions: Sequence[int]
    unit: Unit = "line"
    document_of: tuple[int, ...] | None = None
    notes: tuple[Finding, ...] = field(default=())
    indices: tuple[int, ...] | None = None
    file_rows: int | None = None

    @property
    def rows_in_file(self) -> int:
        """The number of rows in the file, including those that were left out of the table."""
        return len(self) if self.file_rows is None else self.file_rows

    def without(self, rows: Collection[int]) -> TextTable:
        """Return a copy without the rows at some indices; the others keep their `positions` and `indices`."""
        remaining = [row for row in range(len(self)) if row not in rows]
        indices = range(len(self)) if self.indices is None else self.indices
        document_of = None if self.document_of is None else tuple(self.document_of[row] for row in remaining)
        return replace(
            self,
            columns={name: [cells[row] for row in remaining] for name, cells in self.columns.items()},
            positions=[self.positions[row] for row in remaining],
            document_of=document_of,
            indices=tuple(indices[row] for row in remaining),
            file_rows=self.rows_in_file,
        )

    def __len__(self) -> int:
        return len(self.positions)

    def position(self, row: int) -> str:
        """Return the position in the file of the row at an index of the table, as text: `line 17`."""
        return f"{self.unit} {self.positions[row]}"

    def where(self, row: int) -> str:
        """Return the file and position of the row at an index of the table, as text: `reviews.csv, line 17`."""
        return f"{self.path}, {self.position(row)}"

    @property
    def where_header(self) -> str:
        """The location of the column names as text: file and line, or the file alone if its format has no such line."""
        return f"{self.path}, line 1" if self.unit == "line" else self.path

    def locations(self, rows: Sequence[int], most: int = 5) -> str:
        """Return the positions of rows as text: `lines 3, 8, 9 and 12 more`.

        Args:
            rows: the indices of the rows in the table.
            most: most positions to name.
        """
        numbers = ", ".join(str(self.positions[row]) for row in rows[:most])
        more = f" and {len(rows) - most} more" if len(rows) > most else ""
        return f"{self.unit}{'s' if len(rows) > 1 else ''} {numbers}{more}"

    def column(self, name: str, role: str = "") -> list[str]:
        """Return the cells of the column with this name.

        Args:
            name: the name of the column.
            role: what the column is for (`text`, `label`), used in the error only.

        Raises:
            BadInput: no column has this name.
        """
        if name not in self.columns:
            kind = f"{role} column" if role else "column"
            raise BadInput(f"{kind} {name!r} not found", where=self.path, mend=self._instead_of(name))
        return self.columns[name]

    def _instead_of(self, name: str) -> str:
        outer, _, field = name.partition(".")
        if field and any(cell.startswith("{") for cell in self.columns.get(outer, ())):
            return f"{outer!r} holds objects: write {field!r} as a column of its own (in pandas, json_normalize)"
        return nearest(name, self.columns)


def document_numbers(names: Sequence[str]) -> tuple[int, ...] | None:
    """Return the index of each row's document, from 0; a document ends where the next row names another document.

    The result is None if no row names a document.

    Args:
        names: the name of each row's document, "" for none.

    >>> document_numbers(["a", "a", "b"])
    (0, 0, 1)
    """
    if not any(names):
        return None
    numbers = [0]
    for before, name in pairwise(names):
        numbers.append(numbers[-1] + (name != before))
    return tuple(numbers)


def check_names(names: Sequence[str], where: str) -> None:
    """Check that no two columns of a table have the same name, since a name must select a single column.

    Args:
        names: the names of the columns.
        where: the location of the header, for the error.

    Raises:
        BadInput: a name occurs twice.
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        what = f"two columns are named {twice[0]!r}" if twice[0] else "two columns have no name"
        raise BadInput(what, where=where, mend="give every column a name of its own")
