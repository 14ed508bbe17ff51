"""Multi-label classification: any number of labels for a text, in one cell (JSON array or separated) or in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from scipy.special import expit

from wordworth.errors import BadInput, nearest
from wordworth.tasks.examples import Examples, Labels, Rows
from wordworth.tasks.labels import Labelled, in_order
from wordworth.tasks.reading.labelled_rows import LabelledRows, check_present, values
from wordworth.tasks.task_types.base import ClassFlags, Floats, TaskType
from wordworth.tasks.task_types.wording import Wording

SEPARATORS = ("|", ";", ",")
_LEAST_SHARE = 0.01
_TINY = 1e-9
_FLAGS = {"0": False, "1": True, "false": False, "true": True, "no": False, "yes": True, "": False}
_PLURALS = {"labels", "tags", "topics", "categories", "classes", "emotions"}
_ARRAY = "JSON array"


class Multilabel(TaskType):
    """The kind of task in which a text has any number of labels.

    Labels are bool [n, classes]; predictions are scores, float64 [n, classes], above 0 for a predicted label.
    """

    name = "multilabel"
    label_form, hub_task = "flags", "text-classification"
    metrics = ("micro_f1", "macro_f1", "accuracy")
    wording = Wording(
        to_learn="texts with any number of labels",
        classes="labels",
        constant="usual labels",
        wrong="Most labels wrong",
        right="Right",
    )
    problem_type = "multi_label_classification"
    takes_label_columns = labels_may_be_empty = class_probabilities = True
    answer_key = "labels"

    def read(self, rows: LabelledRows) -> Labelled:
        """Read the labels of each row.

        Raises:
            BadInput: a label column holds something other than 0 and 1, or all rows have the same labels.
        """
        names, has, how = _from_columns(rows) if len(rows.columns.labels) > 1 else _from_cells(rows)
        if not has.any() or (has == has[0]).all():
            what = "every row has the same labels: there is nothing to learn"
            raise BadInput(what, where=rows.tables[0].path, mend="choose another --label")
        return Labelled(has, names, f"any number of labels ({how})")

    def default_metric(self, labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:
        """Return (metric, reason): micro F1, which weighs every predicted or missed label equally.

        Args:
            labels: bool [n, classes], which are not read.
            classes: the names of the classes.
            train: int64 [rows], the training rows.
        """
        return "micro_f1", "every label given or missed counts alike"

    def label_problem(self, labels: Labels, examples: Examples, classes: Sequence[str]) -> str:
        """Return a phrase that says what is wrong with labels; "" if they are bool [n, classes].

        Args:
            labels: the labels of all examples.
            examples: the examples, which are not read.
            classes: the names of the classes.
        """
        return "" if np.asarray(labels).dtype == np.bool_ else "labels that are not bool [n, classes]"

    def decide(self, prediction: Any) -> Any:
        """Return which labels are predicted for an example, bool [classes]: all labels whose score is above 0."""
        return prediction > 0

    def plain_value(self, label: Any, classes: Sequence[str]) -> list[str]:
        """Return the names of an example's labels.

        Args:
            label: bool [classes].
            classes: the names of the labels.
        """
        return [classes[int(i)] for i in np.flatnonzero(label)]

    def label_text(self, label: Any, classes: Sequence[str], options: Sequence[str] = ()) -> str:
        """Return the names of an example's labels, separated by commas.

        Args:
            label: bool [classes].
            classes: the names of the classes.
            options: not used.
        """
        return ", ".join(self.plain_value(label, classes)) or "none"

    def probabilities(self, prediction: Any, names: Sequence[str], digits: int) -> dict[str, float]:
        """Return the probability of each label by name: the logistic function of its score.

        Args:
            prediction: float64 [classes], the scores.
            names: the names of the labels.
            digits: number of decimals to round to.
        """
        return dict(zip(names, np.round(expit(prediction), digits).tolist(), strict=True))

    def as_predictions(self, labels: np.ndarray, classes: Sequence[str]) -> np.ndarray:
        """Return scores that predict exactly the given labels: 1 for each label of an example, -1 for the rest.

        Args:
            labels: bool [n, classes].
            classes: the names of the classes.

        Returns:
            float64 [n, classes].
        """
        return np.where(labels, 1.0, -1.0)

    def is_degenerate(self, gold: Labels, predictions: Any) -> bool:
        """Return whether the same labels are always predicted though the gold labels differ.

        Args:
            gold: bool [n, classes].
            predictions: float64 [n, classes], the scores.
        """
        return bool((predictions > 0).std(0).max(initial=0) == 0 and np.asarray(gold).std(0).max(initial=0) > 0)

    def constant_scores(self, gold: np.ndarray, classes: Sequence[str]) -> Floats:
        """Return the share of rows that have each label, minus a half, as the scores of a constant prediction.

        A score is thus above 0, which predicts the label, if more than half of the rows have it.

        Args:
            gold: bool [rows, classes], the labels of the training rows.
            classes: the names of the classes.

        Returns:
            float64 [classes].
        """
        return np.asarray(gold.mean(0) - 0.5)

    def constant_candidates(self, gold: np.ndarray, classes: Sequence[str]) -> Iterable[Floats]:
        """Return constant predictions: the labels that most rows have, then the k most frequent labels for each k.

        Args:
            gold: bool [rows, classes], the labels of the training rows.
            classes: the names of the classes.

        Yields:
            float64 [classes] each.
        """
        shares = gold.mean(0)
        thresholds = np.unique(shares[shares > 0])[::-1]
        return [self.constant_scores(gold, classes), *(shares - threshold + _TINY for threshold in thresholds)]

    def constant_text(self, scores: Any, classes: Sequence[str]) -> str:
        """Return the phrase for predicting the same labels for every text.

        Args:
            scores: not used.
            classes: not used.
        """
        return "giving every text the same labels"

    def class_flags(self, gold: Any, predictions: Any, classes: Sequence[str]) -> list[ClassFlags]:
        """Return for each label which examples have it, and for which examples it is predicted.

        Args:
            gold: bool [n, classes].
            predictions: float64 [n, classes], the scores.
            classes: the names of the labels.

        Returns:
            For each label (name, bool [n] whether examples have it, bool [n] whether it is predicted).
        """
        true, predicted = np.asarray(gold), predictions > 0
        return [(name, true[:, i], predicted[:, i]) for i, name in enumerate(classes)]


MULTILABEL = Multilabel()


def separator(cells: Sequence[str], column: str) -> str | None:
    """Find the character that separates the labels in the cells of a column; None if each cell holds one label.

    The result is `JSON array` if cells hold arrays. A separator meets two conditions. At least 1 % of the cells, and at
    least two cells, contain it. Splitting at it gives fewer distinct labels than there are distinct cells, as happens
    when labels combine freely. A space is a separator only in a column with a plural name (`labels`).
    """
    full = [cell for cell in cells if cell]
    if full and all(values(cell) is not None for cell in full):
        return _ARRAY
    spaces = (" ",) if column.strip().lower() in _PLURALS else ()
    return next((mark for mark in (*SEPARATORS, *spaces) if _separates(mark, full)), None)


def _separates(mark: str, cells: Sequence[str]) -> bool:
    holding = sum(mark in cell for cell in cells)
    if holding < max(2, _LEAST_SHARE * len(cells)):
        return False
    different = set(cells)
    pieces = {piece.strip() for cell in different for piece in cell.split(mark)}
    return len(pieces - {""}) < len(different)


def _from_cells(rows: LabelledRows) -> tuple[tuple[str, ...], np.ndarray, str]:
    cells = rows.label
    mark = separator(cells, rows.columns.labels[0])
    if mark is None:
        check_present(rows, cells)
    labels = [_pieces(cell, mark) for cell in cells]
    names = in_order({name for row in labels for name in row})
    index = {name: number for number, name in enumerate(names)}
    has = np.zeros((len(labels), len(names)), dtype=np.bool_)
    for row, pieces in enumerate(labels):
        has[row, [index[piece] for piece in pieces]] = True
    descriptions = {None: "one a cell", " ": "separated by spaces", _ARRAY: "JSON arrays"}
    return names, has, descriptions.get(mark, f"separated by {mark!r}")


def _pieces(cell: str, mark: str | None) -> list[str]:
    if mark == _ARRAY:
        return [piece.strip() for piece in values(cell) or [] if piece.strip()]
    return [piece.strip() for piece in (cell.split(mark) if mark else [cell]) if piece.strip()]


def _from_columns(rows: LabelledRows) -> tuple[tuple[str, ...], np.ndarray, str]:
    names = rows.columns.labels
    has = np.array([_flags(rows, name) for name in names], dtype=np.bool_).T
    return names, has, f"{len(names)} columns"


def _flags(rows: LabelledRows, name: str) -> list[bool]:
    flags = []
    for row, cell in enumerate(rows.cells(name)):
        plain = cell.strip().lower().removesuffix(".0")
        if plain not in _FLAGS:
            mend = f"write 0 or 1 ({nearest(plain, ['true', 'false', 'yes', 'no'])})"
            raise BadInput(f"label column {name!r} holds {cell!r:.60}", where=rows.where(row), mend=mend)
        flags.append(_FLAGS[plain])
    return flags
