"""`Task`: examples with labels, a split, a kind, a metric and the files they came from."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures import precision_recall_at_k
from wordworth.measures.calibrated_sampling_weights import calibration_factors, usable_controls
from wordworth.measures.metrics import metric
from wordworth.records import Finding
from wordworth.tasks import task_types
from wordworth.tasks.examples import Answer, Answers, Examples, Labels, Origin, Rows, span_labels
from wordworth.tasks.task_types import TaskType

__all__ = ["Answer", "Answers", "Examples", "Kind", "Labels", "Origin", "Rows", "Task", "span_labels"]

Kind = str
"""The name of a `TaskType`."""


@dataclass(frozen=True, slots=True, repr=False)
class Task:
    """A data set ready to learn from: n examples with labels, a training and a test part, and a metric.

    Attributes:
        name: the name of the file or of the published data set.
        kind: the name of the task's `TaskType`.
        labels: for classification int64 [n], class indices; for regression float64 [n]; for multilabel bool [n,
            classes]; for tagging a tuple of n arrays int64 [words of the sentence], tag indices; for multiple choice
            int64 [n], numbers of the right options; for question answering object [n], each a tuple of a question's
            gold `Answer`s (the property `answers` has the exact type).
        classes: names of the classes or tags; empty for kinds of task without classes.
        train: int64 [k], the indices of the training rows in `examples` and `labels`; with `folds`, all rows.
        test: int64 [tests], the indices of the test rows, which never change; with `folds`, all rows.
        metric: a name that `wordworth.measures.metrics.metric` knows (`accuracy`, `macro_f1`, `f1:refund`, …).
        numbers: int64 [n], the index of each example's row among all rows of the files, by which a user's own vectors
            (one for each row) are found; None where the examples do not come from rows.
        origins: the files that the examples were read from.
        metrics: all metrics that the data set is reported by, the main one first; empty if only `metric` is known.
        columns: the names of the columns with the first and the second text, if the task was read from a table.
        label_columns: the names of the columns of labels, if the task was read from a table.
        dev: int64 [k], the indices of the rows for model selection, from a separate file; None where a share of `train`
            serves instead.
        folds: for each fold of cross-fitting int64 [k], the indices of its rows. In cross-fitting a model predicts one
            fold after learning from the others. Empty if one part of the rows is the test part.
        warnings: findings about the data (duplicates, leaks, overlap), named `warning.*`, and about how the data was
            read, named `method.*`.
    """

    name: str
    kind: Kind
    examples: Examples
    labels: Labels
    classes: tuple[str, ...]
    train: Rows
    test: Rows
    metric: str
    origins: tuple[Origin, ...] = ()
    warnings: tuple[Finding, ...] = ()
    numbers: Rows | None = None
    metrics: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    label_columns: tuple[str, ...] = ()
    dev: Rows | None = None
    folds: tuple[Rows, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", task_types.todays_name(self.kind))  # frozen; a former name is read

    def __repr__(self) -> str:
        parts = f"train={len(self.train):,} rows, test={len(self.test):,} rows"
        return f"Task({self.name!r}, kind={self.kind!r}, {parts}, metric={self.metric!r})"

    @property
    def type(self) -> TaskType:
        """The `TaskType` of this task, which holds everything that depends on the kind of task."""
        return task_types.get(self.kind)

    @property
    def splits(self) -> tuple[tuple[Rows, Rows], ...]:
        """The (training rows, test rows), int64 [n] each, of each fold or, without folds, of the task's only split."""
        if not self.folds:
            return ((self.train, self.test),)
        return tuple((np.setdiff1d(self.train, fold), fold) for fold in self.folds)

    def on_split(self, number: int) -> Task:
        """Return a copy of the task with the training and test rows of one of its `splits`.

        Args:
            number: the index of the split.
        """
        train, test = self.splits[number]
        return replace(self, train=train, test=test, folds=())

    @property
    def used(self) -> Rows:
        """The indices of the rows of the training and the test part, int64 [n], ascending."""
        return np.union1d(self.train, self.test)

    def gold(self, rows: Rows) -> Labels:
        """Return the gold labels of some rows, in the order of `rows`.

        Args:
            rows: int64 [n], indices of rows.
        """
        if isinstance(self.labels, tuple):
            return tuple(self.labels[row] for row in rows)
        return self.labels[rows]

    @property
    def sampling_weights(self) -> NDArray[np.float64]:
        """The sampling weight of each test row, 1 on average, float64 [test]; all 1 if rows were drawn evenly.

        If the test file has control variables, the weights are calibrated by them
        (`measures.calibrated_sampling_weights`).
        """
        weights, controls = self.design_weights, self.controls
        if controls is not None:
            means = np.zeros((1, controls.shape[1]))
            weights = weights * calibration_factors(weights[None], controls, means)[0]
        return np.asarray(weights / weights.mean())

    @property
    def design_weights(self) -> NDArray[np.float64]:
        """The inverse of the probability with which each test row was drawn, float64 [test].

        All are 1 if the user gives no sampling weights.
        """
        if self.examples.weights is None:
            return np.ones(len(self.test))
        return np.array([self.examples.weights[row] for row in self.test])

    @property
    def controls(self) -> NDArray[np.float64] | None:
        """The control variables that calibrate the sampling weights, float64 [test, variables]; None without any.

        Only the first variables are used, as many as the number of test rows allows.
        """
        if self.examples.controls is None:
            return None
        controls = usable_controls(np.array([self.examples.controls[row] for row in self.test]))
        return controls if controls.shape[1] else None

    def sources_of(self, rows: Rows) -> list[str]:
        """Return the SHA-256 of each file that some rows come from.

        If some rows of the files were left out, row indices do not tell the file: only the first file's hash is
        returned.

        Args:
            rows: int64 [n], indices of rows.
        """
        ends = np.cumsum([origin.rows for origin in self.origins])
        if not len(ends) or ends[-1] != len(self.examples):  # rows were left out, so that numbers say nothing
            return [origin.sha256 for origin in self.origins[:1]]
        return [self.origins[number].sha256 for number in np.unique(np.searchsorted(ends, rows, side="right"))]

    def label_text(self, label: Any, row: int) -> str:  # noqa: ANN401 - labels of any kind
        """Return a gold or predicted label of an example as text for readers.

        Args:
            label: the label.
            row: the index of the example.
        """
        options = () if self.examples.options is None else self.examples.options[row]
        return self.type.label_text(label, self.classes, options)

    def ceiling(self, name: str) -> float | None:
        """Return the highest value of a metric that any predictions for the test rows could have.

        Args:
            name: name of a metric of this kind of task.

        Returns:
            The value, for a metric such as `precision@3`, which counts the k labels with the highest scores; None for
            any other metric, whose highest value is 1.
        """
        if not precision_recall_at_k.is_metric_at_k(name):
            return None
        gold = np.asarray(self.gold(self.test))
        return metric(name, self.classes).score(gold, self.type.as_predictions(gold, self.classes))

    @property
    def facts(self) -> dict[str, Any]:
        """The facts about the task for a run's `record.json`, such as kind, metric and the hashes of the files."""
        return {
            "name": self.name,
            "kind": self.kind,
            "metric": self.metric,
            "metric_title": metric(self.metric, self.classes).title,
            "classes": list(self.classes),
            "test": len(self.test),
            "sources": [asdict(origin) for origin in self.origins],
        }

    @property
    def answers(self) -> Answers:
        """The labels of a question answering task: for each question a tuple of its gold `Answer`s."""
        return tuple(tuple(answers) for answers in self.labels)
