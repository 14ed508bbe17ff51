"""The inputs of a fine-tuned model: rows of a file, and the examples that each kind of task makes of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.errors import BadInput, nearest
from wordworth.tasks.reading.infer_columns import PAIRS
from wordworth.tasks.task import Examples
from wordworth.tasks.task_types.multiple_choice import CONTEXTS, OPTIONS
from wordworth.text.file_formats.read import iterate_rows

if TYPE_CHECKING:
    from wordworth.tasks.task_types import TaskType

_NAMES = {
    "text": ("text", "text_a", "sentence", "sentence1", "premise", "question1", "first"),
    "second": ("text_b", "sentence2", "hypothesis", "question2", "second"),
    "words": ("words", "tokens", "text", "sentence"),
    "context": CONTEXTS,
    "question": ("question",),
    "options": OPTIONS,
    "id": ("id",),
    "document": ("document",),
}
_ROLE_NAMES = {"second": "second text"}
_OPTIONS = {"text": "--text", "words": "--text", "context": "--text", "second": "--text-b"}


@dataclass(frozen=True, slots=True)
class InputRow:
    """A row: its cells by column, as text, and its location in the file."""

    cells: Mapping[str, str]
    where: str


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Chooses the column for each role: by the user's name, else the training file's, else a usual one.

    Attributes:
        task_type: what the model was fine-tuned on.
        pairs: whether it reads two texts.
        text, second: the user's names for these columns; None where not given.
        learned: the names of the text columns in the training file.
    """

    task_type: TaskType
    pairs: bool
    text: str | None = None
    second: str | None = None
    learned: tuple[str, ...] = ()

    def cell(self, row: InputRow, role: str, *, needed: bool = True) -> str:
        """Return a row's cell for a role; "" where there is none and it is not needed.

        Raises:
            BadInput: the row lacks a column that is needed.
        """
        named, names = self._names(row, role)
        column = next((name for name in names if name in row.cells), None)
        if column is not None:
            return row.cells[column]
        if not needed:
            return ""
        first = next((name for name in (self.text, *_NAMES["text"]) if name in row.cells), None)
        others = [name for name in row.cells if role != "second" or name != first]
        option = _OPTIONS.get(role)
        mend = f"give {option} NAME, or name it {names[0]!r}" if option and not named else f"name it {names[0]!r}"
        mend = f"{mend}; {nearest(names[0], others)}" if others else mend
        raise BadInput(f"this row has no column for the {_ROLE_NAMES.get(role, role)}", where=row.where, mend=mend)

    def guessed(self, row: InputRow) -> str:
        """Return the column of texts where it was guessed, and is not named as in the training file; else ""."""
        role = self.task_type.text_role
        named, names = self._names(row, role)
        column = next((name for name in names if name in row.cells), "")
        return "" if named or not self.learned or column in self._as_learned(role) else column

    def _names(self, row: InputRow, role: str) -> tuple[str | None, tuple[str, ...]]:
        """Return the user's name for a role's column, and the names it may have, most likely first."""
        named = {"text": self.text, "words": self.text, "context": self.text, "second": self.second}.get(role)
        return named, (named,) if named else (*self._as_learned(role), *self._paired(row, role), *_NAMES[role])

    def _as_learned(self, role: str) -> tuple[str, ...]:
        """Return the column's name in the training file."""
        index = {"text": 0, "words": 0, "second": 1}.get(role)
        return () if index is None else self.learned[index : index + 1]

    def _paired(self, row: InputRow, role: str) -> tuple[str, ...]:
        """Return the role's column where the row has both columns of a usual pair, such as sentence and sentence2."""
        if not self.pairs or role not in {"text", "second"} or self.text or self.second:
            return ()
        return tuple(pair[role == "second"] for pair in PAIRS if row.cells.keys() >= set(pair))


@dataclass(frozen=True, slots=True)
class RoleCells:
    """The cells of a row by their role."""

    row: InputRow
    roles: ColumnRoles

    @property
    def where(self) -> str:
        """The location of the row."""
        return self.row.where

    def cell(self, role: str, *, needed: bool = True) -> str:
        """Return the cell for a role, see `ColumnRoles.cell`."""
        return self.roles.cell(self.row, role, needed=needed)


def examples_of(rows: Sequence[InputRow], roles: ColumnRoles) -> Examples:
    """Build the examples of some rows.

    Raises:
        BadInput: a row lacks a column that the kind of task needs.
    """
    return roles.task_type.input_examples([RoleCells(row, roles) for row in rows], pairs=roles.pairs)


def input_rows(path: Path) -> Iterator[InputRow]:
    """Stream the rows of a file of any known format, compressed or not; tags and other labels may be missing.

    Raises:
        BadInput: the file does not exist, is damaged or has an unknown format; names the line.
    """
    yield from (InputRow(cells, where) for where, cells in iterate_rows(path))
