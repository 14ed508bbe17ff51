"""`TextTable`: a file as named columns of text, each row tied to the place it stood at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from wordworth.errors import BadInput, nearest
from wordworth.records import Finding


@dataclass(frozen=True, slots=True)
class TextTable:
    """n rows of text cells.

    A cell of several values (a JSON array, the words of a sentence) is a JSON array of strings; a missing value is "".

    Attributes:
        columns: each column's n cells, exactly as written.
        path: the file as the user named it.
        sha256: of the file's bytes as stored, 64 hexadecimal digits.
        places: [n] the line or row each row begins at, from 1.
        unit: what `places` counts.
        documents: documents marked in the file (CoNLL), 0 where the format has no such mark.
        document_of: [n] the number of the document that a sentence stands in, from 0; None where none are marked.
        notes: how the file was read where that was a choice, named `warning.*`.
        numbers: [n] which row of the file each is, from 0, where some were left out.
        whole: how many rows the file has, where some were left out.
    """

    columns: Mapping[str, list[str]]
    path: str
    sha256: str
    places: Sequence[int]
    unit: Literal["line", "row"] = "line"
    documents: int = 0
    document_of: tuple[int, ...] | None = None
    notes: tuple[Finding, ...] = field(default=())
    numbers: tuple[int, ...] | None = None
    whole: int | None = None

    @property
    def rows_in_file(self) -> int:
        """How many rows the file has, those left out among them."""
        return len(self) if self.whole is None else self.whole

    def without(self, rows: Collection[int]) -> TextTable:
        """The table without some of its rows; those that stay keep their places and their numbers in the file."""
        kept = [row for row in range(len(self)) if row not in rows]
        numbers = range(len(self)) if self.numbers is None else self.numbers
        document_of = None if self.document_of is None else tuple(self.document_of[row] for row in kept)
        return replace(
            self,
            columns={name: [cells[row] for row in kept] for name, cells in self.columns.items()},
            places=[self.places[row] for row in kept],
            document_of=document_of,
            numbers=tuple(numbers[row] for row in kept),
            whole=self.rows_in_file,
        )

    def __len__(self) -> int:
        return len(self.places)

    def place(self, row: int) -> str:
        """Where a row stood: `line 17`."""
        return f"{self.unit} {self.places[row]}"

    def where(self, row: int) -> str:
        """File and place: `reviews.csv, line 17`."""
        return f"{self.path}, {self.place(row)}"

    @property
    def where_header(self) -> str:
        """File and place of the column names, where the format has them in a line."""
        return f"{self.path}, line 1" if self.unit == "line" else self.path

    def listed(self, rows: Sequence[int], most: int = 5) -> str:
        """The places of some rows: `lines 3, 8, 9 and 12 more`."""
        shown = ", ".join(str(self.places[row]) for row in rows[:most])
        more = f" and {len(rows) - most} more" if len(rows) > most else ""
        return f"{self.unit}{'s' if len(rows) > 1 else ''} {shown}{more}"

    def column(self, name: str, role: str = "") -> list[str]:
        """The cells of a column; `role` (`text`, `label`) only words the error.

        Raises:
            BadInput: there is none of that name.
        """
        if name not in self.columns:
            kind = f"{role} column" if role else "column"
            raise BadInput(f"{kind} {name!r} not found", where=self.path, mend=nearest(name, self.columns))
        return self.columns[name]


def numbered(names: Sequence[str]) -> tuple[int, ...] | None:
    """Numbers of documents, ascending, from each row's name of its own; None where no row names one.

    >>> numbered(["a", "a", "b"])
    (0, 0, 1)
    """
    if not any(names):
        return None
    numbers = [0]
    for before, name in pairwise(names):
        numbers.append(numbers[-1] + (name != before))
    return tuple(numbers)


def check_names(names: Sequence[str], where: str) -> None:
    """Refuse a header in which a name stands twice: whoever asks for it would get one column of two.

    Raises:
        BadInput: it does; `where` is the header's place.
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        what = f"two columns are named {twice[0]!r}" if twice[0] else "two columns have no name"
        raise BadInput(what, where=where, mend="give every column a name of its own")
