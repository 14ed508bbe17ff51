"""`Task`: examples with their split, their kind, their metric and their origin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from wordworth.records import Finding

Kind = Literal["single", "pair", "regression", "multilabel", "tags", "choice", "span"]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and its position in its context: `context[start : start + len(text)] == text`, in characters."""

    text: str
    start: int


Answers = tuple[tuple[Answer, ...], ...]
"""The gold answers of each question: several where annotators differ, none where the context does not answer it."""
Labels = np.ndarray | tuple[NDArray[np.int64], ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """n inputs.

    Attributes:
        first: the text of each (choice: the context, span: the question).
        second: the other text of each pair (choice: a question, if there is one; span: the context).
        words: the words of each sentence to tag, as the file splits them.
        options: the endings or answers to choose from, at least two; their number may vary.
        ids: the data set's own id of each example, which its official prediction files use.
        documents: the number of each tagged sentence's document, ascending.
    """

    first: tuple[str, ...]
    second: tuple[str, ...] | None = None
    words: tuple[tuple[str, ...], ...] | None = None
    options: tuple[tuple[str, ...], ...] | None = None
    ids: tuple[str, ...] | None = None
    documents: tuple[int, ...] | None = None

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: Rows | Sequence[int]) -> Examples:
        """The examples with these row numbers, in this order."""
        return Examples(
            tuple(self.first[row] for row in rows),
            _at(self.second, rows),
            _at(self.words, rows),
            _at(self.options, rows),
            _at(self.ids, rows),
            _at(self.documents, rows),
        )


@dataclass(frozen=True, slots=True)
class Origin:
    """A file that was read: its path as the user named it, its SHA-256 and the number of rows it gave."""

    path: str
    sha256: str
    rows: int


@dataclass(frozen=True, slots=True)
class Task:
    """A data set ready to learn from.

    Attributes:
        kind: `single` and `pair` are classification of one text or two; `regression` takes one text or two.
        labels: int64 [n] class indices (single, pair); float64 [n] (regression); bool [n, classes] (multilabel);
            a tuple of int64 [words of i] tag indices (tags); int64 [n] numbers of the right option (choice);
            object [n], each a tuple of the gold `Answer`s of a question (span; typed in `answers`).
        classes: names of the classes or tags; empty for regression, choice and span.
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

    def gold(self, rows: Rows) -> Labels:
        """The labels of these row numbers, in this order."""
        if isinstance(self.labels, tuple):
            return tuple(self.labels[row] for row in rows)
        return self.labels[rows]

    @property
    def answers(self) -> Answers:
        """The labels of a `span` task, typed as answers."""
        return tuple(tuple(answers) for answers in self.labels)


def span_labels(answers: Sequence[Sequence[Answer]]) -> Labels:
    """The labels of a `span` task: object [n], each a tuple of answers, which numpy must not turn into an axis."""
    labels = np.empty(len(answers), dtype=object)
    for row, gold in enumerate(answers):
        labels[row] = tuple(gold)
    return labels


Value = TypeVar("Value")


def _at(values: tuple[Value, ...] | None, rows: Rows | Sequence[int]) -> tuple[Value, ...] | None:
    return None if values is None else tuple(values[row] for row in rows)
