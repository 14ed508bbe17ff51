"""Prediction files: the answers as they are (JSON Lines, CoNLL), or tables (CSV, Parquet) with the input rows too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.text.file_formats.base import ColumnType, FileFormat

if TYPE_CHECKING:
    from wordworth.tasks.task_types import TaskType

_TYPES: dict[str, ColumnType] = {
    **dict.fromkeys(("row", "choice", "start"), "integer"),
    **dict.fromkeys(("value", "no_answer"), "number"),
    **dict.fromkeys(("labels", "tags", "words"), "texts"),
    "probabilities": "numbers",
}
"""What the columns of a table hold, by the names of an answer's values; text where it is not named here."""


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """An answer with its input row.

    Attributes:
        cells: the cells of the input row by column, as text.
        number: index of the row in the file, from 0.
        answer: names and values; the values are None where the row has no text.
    """

    cells: Mapping[str, str]
    number: int
    answer: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a table of answers.

    Attributes:
        task_type: what the model was fine-tuned on.
        classes: of that task; each has a column for its probability where the kind has probabilities.
        given: columns of the input file, which come first.
        doubts: for spans, whether the model predicts the probability that there is no answer.
    """

    task_type: TaskType
    classes: Sequence[str]
    given: Sequence[str]
    doubts: bool = False

    @property
    def own(self) -> dict[str, str]:
        """Names of an answer's values -> their columns, which differ from the input file's columns."""
        names = {"row": "row", self.task_type.answer_key: "prediction"}
        names |= {f"probability {name}": f"probability_{name}" for name in self._shares}
        names |= {name: name for name in self.task_type.answer_columns if name != "no_answer" or self.doubts}
        if self.task_type.labels_words and "words" not in self.given:
            names["words"] = "words"
        return {name: _free(column, self.given) for name, column in names.items()}

    @property
    def _shares(self) -> Sequence[str]:
        return self.classes if self.task_type.class_probabilities else ()

    @property
    def columns(self) -> dict[str, ColumnType]:
        """The columns of the table and what they hold: those of the input file are text."""
        types: dict[str, ColumnType] = dict.fromkeys(self.given, "text")
        for name, column in self.own.items():
            types[column] = "number" if name.startswith("probability ") else _TYPES.get(name, "text")
        return types

    @property
    def answer_columns(self) -> dict[str, ColumnType]:
        """The names of an answer's main values and what they hold."""
        names = ("words", "tags") if self.task_type.labels_words else (self.task_type.answer_key,)
        return {name: _TYPES.get(name, "text") for name in names}

    def values(self, row: AnswerRow) -> dict[str, Any]:
        """Return a row of the table: the cells of the input row, then the answer's values."""
        values = dict(row.answer)
        shares = values.pop("probabilities") if self._shares else None
        values |= {f"probability {name}": shares and shares[name] for name in self._shares}
        values["row"] = row.number
        cells = {name: row.cells.get(name, "") for name in self.given}
        return cells | {column: values[name] for name, column in self.own.items()}


def _free(name: str, taken: Sequence[str]) -> str:
    while name in taken:
        name += "_"
    return name


def write_answers(path: Path, rows: Iterator[AnswerRow], layout: Layout, chosen: FileFormat) -> int:
    """Write answers as they are, or as a table with the columns of the input; return the number of rows.

    Args:
        path: the file to write.
        rows: the answers.
        layout: the columns of a table.
        chosen: the format of the file.

    Raises:
        BadInput: the format cannot hold answers of this kind.
    """
    if chosen.nested:
        answers = ({"id": row.cells.get("id") or row.number, **row.answer} for row in rows)
        return chosen.write(path, answers, layout.answer_columns)
    return chosen.write(path, map(layout.values, rows), layout.columns)
