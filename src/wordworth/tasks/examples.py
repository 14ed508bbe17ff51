"""`Examples` and their labels: the inputs and outputs of a task, whatever file they were read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a question and the index of its first character: `context[start : start + len(text)] == text`."""

    text: str
    start: int


class Category(NamedTuple):
    """A category of examples: the column of the file that holds the category, and the name of the category."""

    column: str
    name: str


Answers = tuple[tuple[Answer, ...], ...]
"""The gold answers of each question: several where annotators differ, none where the context does not answer it."""
Labels = np.ndarray | tuple[NDArray[np.int64], ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """The inputs of the n examples of a task.

    Attributes:
        first: [n] the text of each example (multiple choice: the context; question answering: the question).
        second: [n] the second text of each example (multiple choice: a question, if the data has questions; question
            answering: the context); None where examples have one text.
        words: [n] the words of each sentence to tag, as the file splits them.
        options: [n] the endings or answers to choose from, at least two for each example; their number may vary.
        ids: the data set's own id of each example, which its official prediction files use.
        documents: the index of each tagged sentence's document, ascending.
        groups: the index of each example's group (an author, a patient); None where the user names no groups. No group
            is both learned from and tested on, and intervals resample whole groups.
        weights: the sampling weight of each test example, the inverse of the probability with which it was drawn; 1 for
            training examples. None where the user gives no weights.
        controls: the control variables of each test example, which calibrate `weights`; 0 for training examples. Each
            variable has the mean 0 over all examples from which the test part was drawn. None where the file has no
            such variables.
        categories: the categories of each example; scores are also reported for each category. Rows of a training file
            have an empty tuple if there is a test file. None where the user names no columns of categories.
    """

    first: tuple[str, ...]
    second: tuple[str, ...] | None = None
    words: tuple[tuple[str, ...], ...] | None = None
    options: tuple[tuple[str, ...], ...] | None = None
    ids: tuple[str, ...] | None = None
    documents: tuple[int, ...] | None = None
    groups: tuple[int, ...] | None = None
    weights: tuple[float, ...] | None = None
    controls: tuple[tuple[float, ...], ...] | None = None
    categories: tuple[tuple[Category, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: Rows | Sequence[int]) -> Examples:
        """Return the examples with these indices, in this order.

        Args:
            rows: int64 [k], indices of examples.
        """
        return Examples(
            tuple(self.first[row] for row in rows),
            _at(self.second, rows),
            _at(self.words, rows),
            _at(self.options, rows),
            _at(self.ids, rows),
            _at(self.documents, rows),
            _at(self.groups, rows),
            _at(self.weights, rows),
            _at(self.controls, rows),
            _at(self.categories, rows),
        )


@dataclass(frozen=True, slots=True)
class Origin:
    """A file that was read: its path as the user named it, its SHA-256, and its number of rows."""

    path: str
    sha256: str
    rows: int


def span_labels(answers: Sequence[Sequence[Answer]]) -> Labels:
    """Return the gold answers of n questions as an array, object [n], each element a tuple of `Answer`s."""
    labels = np.empty(len(answers), dtype=object)
    for row, gold in enumerate(answers):
        labels[row] = tuple(gold)
    return labels


Value = TypeVar("Value")


def _at(values: tuple[Value, ...] | None, rows: Rows | Sequence[int]) -> tuple[Value, ...] | None:
    return None if values is None else tuple(values[row] for row in rows)
