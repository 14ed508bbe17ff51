"""`ProbesPredictor`: several probes on one encoder that predict the rows of a file in one pass of the encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wordworth.inference.frozen_probes import Probes, load_probes
from wordworth.inference.prediction_files import AnswerRow, Layout, free_name
from wordworth.inference.predictor_base import require_frozen_dtype
from wordworth.models.devices import device_of
from wordworth.tasks import task_types

if TYPE_CHECKING:
    from wordworth.tasks.task import Examples
    from wordworth.tasks.task_types import TaskType
    from wordworth.text.file_formats.base import ColumnType

ANSWERS = "answers"
"""Key of an answer's value that holds the answers of all probes."""


@dataclass(frozen=True, slots=True)
class ProbesPredictor:
    """Probes of whole texts that share an encoder, with the methods by which `answered_rows` uses any predictor.

    Attributes:
        probes: the probes.
    """

    probes: Probes
    pairs = reads_neighbours = predicts_no_answer = False
    dtype = "float32"

    @classmethod
    def read(
        cls, folders: Mapping[str, Path | str] | Sequence[Path | str], device: str = "auto", dtype: str = "auto"
    ) -> ProbesPredictor:
        """Read several probes from their folders.

        Args:
            folders: a name for each probe -> its folder; or a sequence of folders, after which the probes are named.
            device: name of a device; it is only checked, and does not decide where the encoder computes.
            dtype: `auto` or `float32`.

        Raises:
            BadInput: a folder holds no probe, they read different encoders, or the device or dtype does not exist.
        """
        require_frozen_dtype(dtype)
        device_of(device)
        return cls(load_probes(folders))

    @property
    def task_type(self) -> TaskType:
        """The kind of task of the first probe; it says how rows are read, as every probe reads one text per row."""
        return next(iter(self._task_types.values()))

    @property
    def _task_types(self) -> dict[str, TaskType]:
        return {name: task_types.get(probe.kind) for name, probe in self.probes.probes.items()}

    @property
    def columns(self) -> tuple[str, ...]:
        """Name of the text column in the files that the probes were trained on; empty if the names differ."""
        named = {probe.columns for probe in self.probes.probes.values()}
        return named.pop() if len(named) == 1 else ()

    def answers(self, examples: Examples) -> list[dict[str, Any]]:
        """Predict each example with every probe.

        Returns:
            For each example, a dict with the single key `answers`: name of a probe -> its values by name (such as
            `label`).
        """
        kinds, probes = self._task_types, self.probes.probes
        scores = self.probes.scores(examples.first)
        return [
            {ANSWERS: {name: kinds[name].answer(scores[name][row], probes[name].classes) for name in probes}}
            for row in range(len(examples))
        ]

    def without_text(self, answer: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer for a row without text: a dict like `answer` in which every value of every probe is None.

        Args:
            answer: the answer to any row, from which the names of probes and values are taken.
        """
        return {ANSWERS: {name: dict.fromkeys(values) for name, values in answer[ANSWERS].items()}}

    def layout(self, input_columns: Sequence[str]) -> ProbesLayout:
        """Return the columns of a table of the probes' answers: the input's columns, then the answers' columns."""
        probes = self.probes.probes.items()
        return ProbesLayout(
            {name: Layout(task_types.get(each.kind), each.classes, ()) for name, each in probes}, input_columns
        )


@dataclass(frozen=True)
class ProbesLayout:
    """The columns of a table of several probes' answers; the names of a probe's columns begin with the probe's name.

    Attributes:
        layouts: name of a probe -> the columns of its own answers.
        input_columns: names of the input file's columns, which come first in the table.
    """

    layouts: Mapping[str, Layout]
    input_columns: Sequence[str]

    @cached_property
    def column_of_value(self) -> dict[tuple[str, str], str]:
        """(name of a probe, column of its own answers) -> name of the column in the table of all probes' answers.

        The column `prediction` of the probe `tone` is named `tone_prediction`; `_` is added if another column has the
        name already. The key ("", "row") has the column of row numbers, which all probes share.
        """
        wanted = {("", "row"): "row"}
        for name, layout in self.layouts.items():
            wanted |= {(name, each): f"{name}_{each}" for each in layout.columns if each != "row"}
        columns, taken = dict[tuple[str, str], str](), list(self.input_columns)
        for key, column in wanted.items():
            columns[key] = free_name(column, taken)
            taken.append(columns[key])
        return columns

    @property
    def columns(self) -> dict[str, ColumnType]:
        """Name of each column of a table of answers -> type of its values; the columns of the input file are text."""
        types: dict[str, ColumnType] = dict.fromkeys(self.input_columns, "text")
        for (name, value), column in self.column_of_value.items():
            types[column] = self.layouts[name].columns[value] if name else "integer"
        return types

    @property
    def answer_columns(self) -> dict[str, ColumnType]:
        """The one value `answers` -> its type; it is nested, so that JSON Lines can hold it but no cell of a table."""
        return {ANSWERS: "text"}

    def values(self, row: AnswerRow) -> dict[str, Any]:
        """Return a row of the table of answers by column: the cells of the input row, then the answers of each probe.

        Args:
            row: the answers, with the input row that they answer.
        """
        values: dict[tuple[str, str], Any] = {("", "row"): row.number}
        for name, layout in self.layouts.items():
            own = layout.values(AnswerRow(row.cells, row.number, row.answer[ANSWERS][name]))
            values |= {(name, each): value for each, value in own.items()}
        cells = {name: row.cells.get(name, "") for name in self.input_columns}
        return cells | {column: values[key] for key, column in self.column_of_value.items()}
