"""`Task`: examples with their split, their kind, their metric and their origin."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from wordworth.measures.metrics import metric
from wordworth.records import Finding
from wordworth.tasks import task_types
from wordworth.tasks.examples import Answer, Answers, Examples, Labels, Origin, Rows, span_labels
from wordworth.tasks.task_types import TaskType

__all__ = ["Answer", "Answers", "Examples", "Kind", "Labels", "Origin", "Rows", "Task", "span_labels"]

Kind = str
"""The name of a `TaskType`."""


@dataclass(frozen=True, slots=True)
class Task:
    """A data set ready to learn from.

    Attributes:
        kind: the name of its `TaskType`.
        labels: int64 [n] class indices (classification); float64 [n] (regression); bool [n, classes] (multilabel);
            a tuple of int64 [words of i] tag indices (tagging); int64 [n] numbers of the right option (multiple
            choice); object [n], each a tuple of the gold `Answer`s of a question (typed in `answers`).
        classes: names of the classes or tags; empty where there are none.
        train, test: disjoint row numbers; `test` never changes.
        metric: a name that `wordworth.measures.metrics.metric` knows (`accuracy`, `macro_f1`, `f1:refund`, …).
        numbers: int64 [n], the row of each example in its files, the first file's rows first; None where the
            examples do not come from rows. A user's own vectors, in file order, are matched to texts by it.
        metrics: all metrics that the data set is reported by, the main one first; empty if only `metric` is known.
        columns: the columns of the file that hold the first and the second text, if it was read from one.
        dev: row numbers for model selection, from a separate file; None where a share of `train` serves.
        warnings: findings about the data (duplicates, leaks, overlap), named `warning.*`, and about how
            it was read, named `method.*`.
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
    dev: Rows | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", task_types.todays_name(self.kind))  # frozen; a former name is read

    @property
    def type(self) -> TaskType:
        """Everything that depends on the kind of the task."""
        return task_types.get(self.kind)

    def gold(self, rows: Rows) -> Labels:
        """The labels of these row numbers, in this order."""
        if isinstance(self.labels, tuple):
            return tuple(self.labels[row] for row in rows)
        return self.labels[rows]

    def label_text(self, label: Any, row: int) -> str:  # noqa: ANN401 - labels of any kind
        """The text of a label, gold or predicted, of the example with this row number."""
        options = () if self.examples.options is None else self.examples.options[row]
        return self.type.label_text(label, self.classes, options)

    @property
    def facts(self) -> dict[str, Any]:
        """What every record states: name, kind, metric, classes, size of the test part, each file with its hash."""
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
        """The labels of questions, typed as answers."""
        return tuple(tuple(answers) for answers in self.labels)
