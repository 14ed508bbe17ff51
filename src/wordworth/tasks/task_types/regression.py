"""Regression: a number for each text or pair of texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from wordworth.errors import BadInput
from wordworth.tasks.examples import Examples, Labels, Rows
from wordworth.tasks.labels import Labelled
from wordworth.tasks.reading.labelled_rows import LabelledRows, check_present
from wordworth.tasks.reading.parse_numbers_with_units import amounts
from wordworth.tasks.task_types.base import Floats, TaskType
from wordworth.tasks.task_types.prediction_cells import PredictedCell
from wordworth.tasks.task_types.wording import Wording

LARGEST = 1e30
"""The largest size of a number to learn: models compute in float32, whose largest number is 3.4e38."""
_STILL = 0.05
"""Predictions whose standard deviation is below this fraction of the gold values' count as constant."""


class Regression(TaskType):
    """The kind of task in which each text, or pair of texts, has a number.

    Labels and predictions are float64 [n].
    """

    name = "regression"
    label_form, hub_task = "value", "text-regression"
    metrics = ("spearman", "pearson", "r2")
    wording = Wording(
        to_learn="texts to score",
        constant="the mean",
        wrong="Furthest from the gold value",
        right="Nearest to the gold value",
    )
    problem_type = "regression"
    takes_pairs = numeric = True
    answer_key = "value"
    wrong_from, right_to = 0.1, 0.02

    def examples(self, rows: LabelledRows) -> Examples:
        """Return the texts, or pairs of texts, as examples."""
        second = rows.second
        return Examples(tuple(rows.first), None if second is None else tuple(second))

    def read(self, rows: LabelledRows) -> Labelled:
        """Read and return the value of each row.

        Raises:
            BadInput: labels are missing, not finite numbers, larger than `LARGEST`, or all the same.
        """
        cells = rows.label
        check_present(rows, cells)
        parsed = amounts(cells)
        labels = np.array(
            [_number(rows, row, cell) for row, cell in enumerate(cells)] if parsed is None else parsed.values
        )
        if not np.isfinite(labels).all():
            _number(rows, row := int(np.argmin(np.isfinite(labels))), cells[row])
        if np.abs(labels).max() > LARGEST:
            row = int(np.abs(labels).argmax())
            what = f"label {cells[row]!r:.60} is too large to learn from"
            raise BadInput(what, where=rows.where(row), mend="give the labels in a larger unit")
        if labels.min() == labels.max():
            what = f"every row has the label {cells[0]}: there is nothing to predict"
            raise BadInput(what, where=rows.tables[0].path, mend="choose another --label")
        how = f", such as {parsed.example[0]!r} read as {parsed.example[1]:.12g}" if parsed and parsed.example else ""
        return Labelled(labels, (), f"regression from {labels.min():,.6g} to {labels.max():,.6g}{how}")

    def default_metric(self, labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:
        """Return (metric, reason): Spearman's rank correlation, which does not depend on the scale.

        Args:
            labels: float64 [n], which are not read.
            classes: not used.
            train: int64 [rows], the training rows, which are not read.
        """
        return "spearman", "the order of the values counts, whatever their scale"

    def label_problem(self, labels: Labels, examples: Examples, classes: Sequence[str]) -> str:
        """Return a phrase that says what is wrong with labels; "" if all are finite float64 numbers.

        Args:
            labels: the labels of all examples.
            examples: the examples, which are not read.
            classes: not used.
        """
        values = np.asarray(labels)
        is_right = values.dtype == np.float64 and np.isfinite(values).all()
        return "" if is_right else "labels that are not finite float64"

    def plain_value(self, label: Any, classes: Sequence[str]) -> float:
        """Return a gold or predicted label as a Python number.

        Args:
            label: the label.
            classes: not used.
        """
        return float(label)

    def label_text(self, label: Any, classes: Sequence[str], options: Sequence[str] = ()) -> str:
        """Return a gold or predicted number as text with two decimals.

        Args:
            label: the number.
            classes: not used.
            options: not used.
        """
        return f"{float(label):.2f}"

    def parse_predictions(
        self, cells: Sequence[PredictedCell], classes: Sequence[str], options: Sequence[Sequence[str]]
    ) -> Floats:
        """Return the predicted numbers in a file's cells, float64 [n].

        Args:
            cells: one cell for each example, with its place in the file.
            classes: not used.
            options: not used.
        """
        return np.array([_predicted(cell) for cell in cells])

    def is_degenerate(self, gold: Labels, predictions: Any) -> bool:
        """Return whether a training failed: the predictions' standard deviation is below 5 % of the labels'.

        Args:
            gold: float64 [n], the labels.
            predictions: float64 [n].
        """
        return bool(predictions.std() < _STILL * np.asarray(gold).std())

    def constant_scores(self, gold: np.ndarray, classes: Sequence[str]) -> Floats:
        """Return the mean of the gold values as the constant prediction.

        Args:
            gold: float64 [rows], the values of the training rows.
            classes: not used.

        Returns:
            float64 [], a single number.
        """
        return np.asarray(gold.mean() if len(gold) else 0.0)

    def constant_text(self, scores: Any, classes: Sequence[str]) -> str:
        """Return the phrase for always predicting the mean.

        Args:
            scores: not used.
            classes: not used.
        """
        return "always saying the mean"


REGRESSION = Regression()


def _predicted(cell: PredictedCell) -> float:
    try:
        value = float(cell.text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        what = f"prediction {cell.text!r:.60} is not a finite number"
        raise BadInput(what, where=cell.where, mend="write a number")
    return value


def _number(rows: LabelledRows, row: int, cell: str) -> float:
    """Parse the number in a cell of a column whose cells are not all amounts in one notation.

    Raises:
        BadInput: Python does not read the cell as a finite number.
    """
    alone = amounts([cell])
    if alone is not None and alone.example is None and math.isfinite(alone.values[0]):
        return alone.values[0]
    mend = "write a number; if the labels are classes, the task is of kind classification"
    if alone is not None and alone.example is not None:
        mend = f"other rows use another notation: write {alone.values[0]:.12g}, or all rows in the same notation"
    raise BadInput(f"label {cell!r:.60} is not a number", where=rows.where(row), mend=mend)
