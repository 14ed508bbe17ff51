"""Classification: one text, or a pair of texts, has exactly one of the classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.sentence_formatting import one_spelling, percent
from wordworth.tasks.examples import Examples, Labels, Rows
from wordworth.tasks.labels import Labelled, in_order
from wordworth.tasks.reading.labelled_rows import LabelledRows, check_present
from wordworth.tasks.task_types.base import Floats, TaskType
from wordworth.tasks.task_types.prediction_cells import PredictedCell
from wordworth.tasks.task_types.wording import Wording

_MANY = 0.5
_UNEVEN, _LEAST, _MOST = 2.0, 0.4, 0.75
_LONGEST_NAME = 40


class OneClass(TaskType):
    """A kind of task in which each example has exactly one class.

    Labels are class indices, int64 [n]; predictions are scores, float64 [n, classes].
    """

    label_form, hub_task = "class", "text-classification"
    metrics = ("accuracy", "macro_f1", "matthews")
    multiclass = exclusive = class_probabilities = True

    def read(self, rows: LabelledRows) -> Labelled:
        """Read the class of each row.

        In different tables, `True` and `true` are one class, and so are `1` and `1.0`.

        Raises:
            BadInput: labels are missing, all the same, or nearly all different.
        """
        cells = _agreed(rows)
        check_present(rows, cells)
        classes = in_order(set(cells))
        _check(rows, cells, classes)
        index = {name: number for number, name in enumerate(classes)}
        labels = np.array([index[cell] for cell in cells], dtype=np.int64)
        return Labelled(labels, classes, "classification")

    def default_metric(self, labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:
        """Return (metric, reason): accuracy, or macro F1 if the classes are uneven, and a phrase that says why.

        Two classes count as uneven if the larger has at least three quarters of the training rows. Three classes or
        more count as uneven if the largest has at least two fifths of the training rows and twice an even share.

        Args:
            labels: int64 [n], the class of each example.
            classes: the names of the classes.
            train: int64 [rows], the training rows.
        """
        share = max(Counter(np.asarray(labels)[train].tolist()).values()) / len(train)
        bound = min(_MOST, max(_UNEVEN / len(classes), _LEAST))
        majority = f"the largest class holds {percent(share)} of the training rows"
        if share >= bound:
            return "macro_f1", f"{majority}, and macro F1 is used from {percent(bound)} on"
        reason = f"{majority}, under the {percent(bound)} from which macro F1 is used"
        return "accuracy", f"{reason}; always predicting that class would score about {100 * share:.0f}"

    def label_problem(self, labels: Labels, examples: Examples, classes: Sequence[str]) -> str:
        """Return a phrase that says what is wrong with labels; "" if all are indices of classes.

        Args:
            labels: the labels of all examples.
            examples: the examples, which are not read.
            classes: the names of the classes.
        """
        return "" if are_class_indices(labels, len(classes)) else f"labels outside 0 to {len(classes) - 1}"

    def probabilities(self, prediction: Any, names: Sequence[str], digits: int) -> dict[str, float]:
        """Return the probability of each class by name: the softmax of a prediction's scores.

        Args:
            prediction: float64 [classes], the scores.
            names: the names of the classes.
            digits: number of decimals to round to.
        """
        powers = np.exp(prediction - np.max(prediction))  # scipy's takes four times as long for one row
        return dict(zip(names, (powers / powers.sum()).round(digits).tolist(), strict=True))

    def parse_predictions(
        self, cells: Sequence[PredictedCell], classes: Sequence[str], options: Sequence[Sequence[str]]
    ) -> Floats:
        """Return the classes in a file's cells as scores: 1 for the class of a cell, 0 for every other class.

        Args:
            cells: one cell for each example, with its place in the file.
            classes: the names of the classes.
            options: not used.

        Returns:
            float64 [n, classes].
        """
        scores = np.zeros((len(cells), len(classes)))
        for row, (cell, where) in enumerate(cells):
            if cell.strip() not in classes:
                raise BadInput(f"prediction {cell!r:.60}", where=where, mend=nearest(cell.strip(), classes))
            scores[row, list(classes).index(cell.strip())] = 1
        return scores

    def as_predictions(self, labels: np.ndarray, classes: Sequence[str]) -> np.ndarray:
        """Return scores that predict the given classes: 1 for the class of an example, 0 for every other class.

        Args:
            labels: int64 [n], the classes.
            classes: the names of the classes.

        Returns:
            float64 [n, classes].
        """
        return np.asarray(np.eye(len(classes))[labels])

    def is_degenerate(self, gold: Labels, predictions: Any) -> bool:
        """Return whether one class is always predicted though the labels differ.

        Args:
            gold: int64 [n], the class of each example.
            predictions: float64 [n, classes].
        """
        return constant(predictions.argmax(1)) and not constant(gold)

    def constant_scores(self, gold: np.ndarray, classes: Sequence[str]) -> Floats:
        """Return the share of each class among the gold labels as the scores of a constant prediction.

        Args:
            gold: int64 [rows], the classes of the training rows.
            classes: the names of the classes.

        Returns:
            float64 [classes].
        """
        return np.bincount(gold, minlength=len(classes)) / max(len(gold), 1)

    def constant_candidates(self, gold: np.ndarray, classes: Sequence[str]) -> Iterable[Floats]:
        """Return a constant prediction for each class that occurs, the most frequent class first.

        Args:
            gold: int64 [rows], the classes of the training rows.
            classes: the names of the classes.

        Yields:
            float64 [classes] each.
        """
        shares = self.constant_scores(gold, classes)
        others = np.argsort(-shares, kind="stable")[1:]
        return [shares, *(np.eye(len(classes))[other] for other in others if shares[other] > 0)]

    def constant_text(self, scores: Any, classes: Sequence[str]) -> str:
        """Return the phrase "always saying ..." with the name of the class that has the highest score.

        Args:
            scores: float64 [classes], the constant prediction.
            classes: the names of the classes.
        """
        name = classes[int(np.argmax(scores))]
        return f"always saying “{name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + '…'}”"

    def baseline_predictions(self, labels: Labels, classes: Sequence[str], size: int) -> Floats:
        """Return a prediction that gives every example the class counts of the training labels as scores.

        Args:
            labels: int64 [rows], the classes of the training rows.
            classes: the names of the classes.
            size: number of examples to predict.

        Returns:
            float64 [size, classes].
        """
        counts = np.bincount(np.asarray(labels), minlength=len(classes)).astype(np.float64)
        return np.tile(counts, (size, 1))

    def class_pairs(
        self,
        gold: Any,
        predictions: Any,
        classes: Sequence[str],
    ) -> tuple[NDArray[np.int64], tuple[str, ...]]:
        """Return the gold class and the highest-scored class of each example, and the names of the classes.

        Args:
            gold: int64 [n], the class of each example.
            predictions: float64 [n, classes].
            classes: the names of the classes.

        Returns:
            int64 [n, 2], and the names.
        """
        return np.stack([np.asarray(gold), predictions.argmax(1)], axis=1), tuple(classes)


class Classification(OneClass):
    """The kind of task in which a single text has exactly one of the classes."""

    name, former_name = "classification", "single"


class PairClassification(OneClass):
    """The kind of task in which a pair of texts has exactly one of the classes."""

    name, former_name = "pair_classification", "pair"
    wording = Wording(examples="pairs of texts", to_learn="pairs of texts to classify")
    takes_pairs = True

    def examples(self, rows: LabelledRows) -> Examples:
        """Return the pairs of texts as examples.

        Raises:
            BadInput: no column of second texts is named.
        """
        if rows.second is None:
            mend = "name it with --text-b"
            raise BadInput("pairs need a column of second texts", where=rows.tables[0].path, mend=mend)
        return Examples(tuple(rows.first), tuple(rows.second))


CLASSIFICATION = Classification()
PAIR_CLASSIFICATION = PairClassification()


def constant(values: Any) -> bool:
    """Return whether all of the values are equal."""
    return len(np.unique(values)) <= 1


def are_class_indices(labels: Any, classes: int) -> bool:
    """Return whether the labels have dtype int64 and each is the index of a class: at least 0 and below `classes`.

    Args:
        labels: an array of any shape.
        classes: number of classes.
    """
    return labels.dtype == np.int64 and bool(((labels >= 0) & (labels < classes)).all())


def _agreed(rows: LabelledRows) -> Sequence[str]:
    """Return the label of each row; labels of several tables that are spelt differently become equal (`one_spelling`).

    Such labels are truth values (`True`, `true`) and whole numbers (`1`, `1.0`). Labels of a single table stay as
    written: two spellings may be two classes, and a check of the data warns of them.
    """
    cells = rows.label
    if len(rows.tables) == 1:
        return cells
    as_written = set(cells)
    spelling = {cell: one_spelling(cell) for cell in as_written}
    return [spelling[cell] for cell in cells] if len(set(spelling.values())) < len(as_written) else cells


def _check(rows: LabelledRows, cells: Sequence[str], classes: Sequence[str]) -> None:
    where, name = rows.tables[0].path, rows.columns.labels[0]
    if len(classes) == 1:
        what = f"every row has the label {classes[0]!r:.60}: there is nothing to learn"
        raise BadInput(what, where=where, mend="choose another --label, or add rows of a second class")
    if len(classes) > _MANY * len(cells):
        what = f"label column {name!r} has {len(classes)} different values in {len(cells)} rows"
        mend = "choose another --label; if the values are amounts, the task is of kind regression"
        raise BadInput(what, where=where, mend=mend)
