"""Rows of a file without labels as inputs of a fine-tuned model: choose the columns, and make examples of the rows.

A role is the use of a column: `text`, `second` (text of a pair), `words`, `context`, `question` and so on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.errors import BadInput, nearest
from wordworth.tasks.task import Examples
from wordworth.tasks.usual_columns import CONTEXTS, FIRST_TEXTS, OPTIONS, PAIRS, SECOND_TEXTS, WORDS
from wordworth.text.file_formats.read import iterate_rows

if TYPE_CHECKING:
    from wordworth.tasks.task_types import TaskType

_NAMES = {
    "text": FIRST_TEXTS,
    "second": SECOND_TEXTS,
    "words": WORDS,
    "context": CONTEXTS,
    "question": ("question",),
    "options": OPTIONS,
    "pronoun": ("pronoun",),
    "candidates": ("candidates",),
    "id": ("id",),
    "document": ("document",),
}
_ROLE_NAMES = {"second": "second text"}
_OPTIONS = {"text": "--text", "words": "--text", "context": "--text", "second": "--text-b"}


@dataclass(frozen=True, slots=True)
class InputRow:
    """One row of an input file: the cells by column, as text, and the location (file and line) for messages."""

    cells: Mapping[str, str]
    where: str


@dataclass(frozen=True, slots=True)
class ColumnRoles:
    """Rules that choose the column for each role (such as first or second text) in a file to predict.

    The column is the one that the user named, else the one with its name in the training file, else one with a usual
    name.

    Attributes:
        task_type: kind of task that the model was fine-tuned on.
        pairs: whether the model reads two texts per example.
        text, second: names that the user set for the columns of first and second texts; None where not set.
        training_columns: names of the text columns in the training file, the column of the first text first.
        in_json: whether rows are JSON objects of a request to a server, whose fields no option can name.
    """

    task_type: TaskType
    pairs: bool
    text: str | None = None
    second: str | None = None
    training_columns: tuple[str, ...] = ()
    in_json: bool = False

    def cell(self, row: InputRow, role: str, *, needed: bool = True) -> str:
        """Return a row's cell for a role, as text; "" if the row has no such column and `needed` is false.

        Args:
            row: the row.
            role: the use of a column, such as `text`.
            needed: whether the column must be there.

        Raises:
            BadInput: the row has no column for the role, and `needed` is true.
        """
        named, names = self._names(row, role)
        column = self._column(row, role)
        if column is not None:
            return row.cells[column]
        if not needed:
            return ""
        first = next((name for name in (self.text, *_NAMES["text"]) if name in row.cells), None)
        others = [name for name in row.cells if role != "second" or name != first]
        option = None if self.in_json else _OPTIONS.get(role)
        if named:
            what = f"{_ROLE_NAMES.get(role, role)} column {named!r} not found"
            raise BadInput(what, where=row.where, mend=f"give {option} NAME; {nearest(named, row.cells)}")
        mend = f"give {option} NAME, or name it {names[0]!r}" if option else f"name it {names[0]!r}"
        mend = f"{mend}; {nearest(names[0], others)}" if others else mend
        if role == "second":
            pair = dict.fromkeys(
                self.training_columns if len(self.training_columns) == len(PAIRS[0]) else PAIRS[0], "…"
            )
            example = json.dumps(pair, ensure_ascii=False)
            mend = f"{mend}; a pair is a row such as {example}"
            mend = mend if self.in_json else f"{mend}, in Python a list of such dicts"
        noun = "object has no field" if self.in_json else "row has no column"
        raise BadInput(f"this {noun} for the {_ROLE_NAMES.get(role, role)}", where=row.where, mend=mend)

    def guessed(self, row: InputRow) -> str:
        """Return the name of the column of texts if it was guessed.

        The result is empty if the user named the column, if it has the name of the training file's column, or if the
        name of the training file's column is unknown.
        """
        role = self.task_type.text_role
        named, column = self._names(row, role)[0], self._column(row, role)
        return (
            ""
            if named or column is None or not self.training_columns or column in self._training_column(role)
            else column
        )

    def text_columns(self, row: InputRow) -> list[str]:
        """Return the names of a row's columns that are read as texts; empty if the model reads words or a context."""
        roles = ("text", "second") if self.pairs else ("text",)
        read = (self._column(row, role) for role in roles if self.task_type.text_role == "text")
        return [column for column in read if column is not None]

    def left_out(self, row: InputRow) -> str:
        """Return the name of the column of second texts that a model of single texts ignores in a row; else ""."""
        if self.pairs or self.task_type.text_role != "text":
            return ""
        names, read = (self.second,) if self.second else SECOND_TEXTS, self._column(row, "text")
        return next((name for name in names if name in row.cells and name != read), "")

    def _column(self, row: InputRow, role: str) -> str | None:
        """Return the name of the column that is read for a role; None without one."""
        return next((name for name in self._names(row, role)[1] if name in row.cells), None)

    def _names(self, row: InputRow, role: str) -> tuple[str | None, tuple[str, ...]]:
        """Return the name that the user set for a role's column, or None; and the possible names, most likely first."""
        named = {"text": self.text, "words": self.text, "context": self.text, "second": self.second}.get(role)
        return named, (named,) if named else (*self._training_column(role), *self._paired(row, role), *_NAMES[role])

    def _training_column(self, role: str) -> tuple[str, ...]:
        """Return the name of a role's column in the training file, as a tuple; empty if it is not known."""
        index = {"text": 0, "words": 0, "second": 1}.get(role)
        return () if index is None else self.training_columns[index : index + 1]

    def _paired(self, row: InputRow, role: str) -> tuple[str, ...]:
        """Return the role's column of each usual pair of columns, such as sentence and sentence2, that the row has."""
        if not self.pairs or role not in {"text", "second"} or self.text or self.second:
            return ()
        return tuple(pair[role == "second"] for pair in PAIRS if row.cells.keys() >= set(pair))


@dataclass(frozen=True, slots=True)
class RoleCells:
    """One row of an input file, with its cells looked up by role: the use of a column, such as first or second text."""

    row: InputRow
    roles: ColumnRoles

    @property
    def where(self) -> str:
        """The location (file and line) of the input row, for messages."""
        return self.row.where

    def cell(self, role: str, *, needed: bool = True) -> str:
        """Return the row's cell for a role, as text; "" if the row has no such column and `needed` is false.

        Args:
            role: the use of a column, such as `text`.
            needed: whether the column must be there.

        Raises:
            BadInput: the row has no column for the role, and `needed` is true.
        """
        return self.roles.cell(self.row, role, needed=needed)


def examples_of(rows: Sequence[InputRow], roles: ColumnRoles) -> Examples:
    """Build one unlabelled example from each row; return all of them as `Examples`.

    Raises:
        BadInput: a row lacks a column that the model's kind of task needs.
    """
    return roles.task_type.input_examples([RoleCells(row, roles) for row in rows], pairs=roles.pairs)


def input_rows(path: Path, *, named: bool = False) -> Iterator[InputRow]:
    """Yield the rows of a file of any known format, compressed or not; tags and other labels may be missing.

    Args:
        path: the file.
        named: whether the format must have named columns; if False, the lines of a `.txt` are a column `text`.

    Raises:
        BadInput: the file does not exist, is damaged or has an unknown format; the message names the line.
    """
    yield from (InputRow(cells, where) for where, cells in iterate_rows(path, named=named))
