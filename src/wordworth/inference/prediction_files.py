"""Prediction files: answers with the rows they are for (JSON Lines), tables (CSV, Parquet), and tags alone (CoNLL)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from wordworth.text.file_formats.base import ColumnType, FileFormat

if TYPE_CHECKING:
    from wordworth.tasks.task_types import TaskType

_TYPES: dict[str, ColumnType] = {
    **dict.fromkeys(("row", "choice", "start"), "integer"),
    **dict.fromkeys(("value", "no_answer"), "number"),
    **dict.fromkeys(("labels", "tags", "words"), "texts"),
    "probabilities": "numbers",
}
"""Name of an answer's value -> type of its column in a table; values without an entry are text."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """The model's answer for one row of the input file, with that row.

    Attributes:
        cells: the cells of the input row by column, as text.
        number: index of the row in the input file, from 0.
        answer: the answer's values by name, such as `label`; all values are None where the row has no text.
    """

    cells: Mapping[str, str]
    number: int
    answer: Mapping[str, Any]


class AnswerTable(Protocol):
    """The columns of a table of answers, and the values of a row in it."""

    @property
    def input_columns(self) -> Sequence[str]:
        """Names of the input file's columns, which come first in the table."""

    @property
    def columns(self) -> dict[str, ColumnType]:
        """Name of each column of a table of answers -> type of its values; the columns of the input file are text."""

    @property
    def answer_columns(self) -> dict[str, ColumnType]:
        """Name of each of an answer's main values (such as `label`) -> its type."""

    def values(self, row: AnswerRow) -> dict[str, Any]:
        """Return a row of the table of answers: name of a column -> value.

        Args:
            row: the answer, with the input row that it answers.
        """


@dataclass(frozen=True)
class Layout:
    """The columns of a table of answers.

    Attributes:
        task_type: kind of task that the model was fine-tuned on.
        classes: names of the task's classes; each class has a column of probabilities if the kind of task has them.
        input_columns: names of the input file's columns, which come first in the table.
        has_no_answer: for answer spans, whether the model predicts the probability that a question has no answer.
    """

    task_type: TaskType
    classes: Sequence[str]
    input_columns: Sequence[str]
    has_no_answer: bool = False

    @cached_property
    def column_of_value(self) -> dict[str, str]:
        """Name of each value of an answer -> its column in the table.

        If the input has a column of that name, `_` is added to the name.
        """
        names = {"row": "row", self.task_type.answer_key: "prediction"}
        names |= {f"probability {name}": f"probability_{name}" for name in self._shares}
        names |= {name: name for name in self.task_type.answer_columns if name != "no_answer" or self.has_no_answer}
        if self.task_type.labels_words and "words" not in self.input_columns:
            names["words"] = "words"
        return {name: free_name(column, self.input_columns) for name, column in names.items()}

    @property
    def _shares(self) -> Sequence[str]:
        return self.classes if self.task_type.class_probabilities else ()

    @property
    def columns(self) -> dict[str, ColumnType]:
        """Name of each column of a table of answers -> type of its values; the columns of the input file are text."""
        types: dict[str, ColumnType] = dict.fromkeys(self.input_columns, "text")
        for name, column in self.column_of_value.items():
            types[column] = "number" if name.startswith("probability ") else _TYPES.get(name, "text")
        return types

    @property
    def answer_columns(self) -> dict[str, ColumnType]:
        """Name of each of an answer's main values (the label, or for tagging the words and tags) -> its type."""
        names = (*["words"] * self.task_type.labels_words, self.task_type.answer_key)
        return {name: _TYPES.get(name, "text") for name in names}

    def values(self, row: AnswerRow) -> dict[str, Any]:
        """Return a row of the table of answers by column: the cells of the input row, then the answer's values.

        Args:
            row: the answer, with the input row that it answers.
        """
        values = dict(row.answer)
        shares = values.pop("probabilities") if self._shares else None
        values |= {f"probability {name}": shares and shares[name] for name in self._shares}
        values["row"] = row.number
        cells = {name: row.cells.get(name, "") for name in self.input_columns}
        return cells | {column: values[name] for name, column in self.column_of_value.items()}


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return a name for a new column, with as many `_` added as are needed to differ from other names.

    Args:
        name: the wanted name.
        taken: the names that exist already.
    """
    while name in taken:
        name += "_"
    return name


def write_answers(path: Path, rows: Iterator[AnswerRow], layout: AnswerTable, chosen: FileFormat) -> int:
    """Write answers to a file, and return the number of rows.

    A table (CSV, Parquet) holds the columns of the input and the columns of the answers. JSON Lines hold the same
    columns of the answers, so that one program reads all three; the values of each answer by their own names (`label`,
    `probabilities`), which programs for files of earlier versions read; and the input row as `input`. CoNLL holds the
    values of each answer.

    Args:
        path: the file to write.
        rows: the answers, each with its input row.
        layout: the columns of the table, and the names of an answer's values.
        chosen: the format of the file.

    Raises:
        BadInput: the format cannot hold answers of this kind.
    """
    if chosen.nested:
        return chosen.write(path, (_nested(row, layout) for row in rows), layout.answer_columns)
    return chosen.write(path, map(layout.values, rows), layout.columns)


def _nested(row: AnswerRow, layout: AnswerTable) -> dict[str, Any]:
    """Return an answer as an object: its values, the columns of answers that a table would have, and the input row."""
    columns = {name: value for name, value in layout.values(row).items() if name not in layout.input_columns}
    return {"id": row.cells.get("id") or row.number, **row.answer, **columns, "input": dict(row.cells)}
