"""`Task`: examples with their split, their kind and their metric, and where they came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordworth.records import Finding

Kind = Literal["single", "pair", "regression", "multilabel", "tags"]
Rows = NDArray[np.int64]
Labels = np.ndarray | tuple[NDArray[np.int64], ...]


@dataclass(frozen=True, slots=True)
class Examples:
    """n inputs. `second` holds the other text of each pair, `words` the given words of each sentence to tag."""

    first: tuple[str, ...]
    second: tuple[str, ...] | None = None
    words: tuple[tuple[str, ...], ...] | None = None

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: Rows | Sequence[int]) -> Examples:
        """The examples at `rows`, in that order."""
        return Examples(
            tuple(self.first[row] for row in rows),
            None if self.second is None else tuple(self.second[row] for row in rows),
            None if self.words is None else tuple(self.words[row] for row in rows),
        )


@dataclass(frozen=True, slots=True)
class Origin:
    """A file that was read: its name as given, SHA-256 and how many rows it gave."""

    path: str
    sha256: str
    rows: int


@dataclass(frozen=True, slots=True)
class Task:
    """A data set ready to learn from.

    Attributes:
        kind: `single` and `pair` are classification of one text or two; `regression` takes one text or two.
        labels: int64 [n] class indices (single, pair); float64 [n] (regression); bool [n, classes] (multilabel);
            a tuple of int64 [words of i] tag indices (tags).
        classes: names of the classes or tags; empty for regression.
        train, test: disjoint row numbers; `test` is fixed once and for all.
        metric: a name that `wordworth.measures.metrics.metric` knows (`accuracy`, `macro_f1`, `f1:refund`, …).
        numbers: int64 [n], the row of each example in the files as read, the first file's rows first; None where the
            examples were made otherwise. Vectors that a user brings in the order of their file find their texts by it.
        warnings: what was noticed about the data (duplicates, leaks, overlap), as findings named `warning.*`, and how
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

    def gold(self, rows: Rows) -> Labels:
        """The labels at `rows`, in that order."""
        if isinstance(self.labels, tuple):
            return tuple(self.labels[row] for row in rows)
        return self.labels[rows]
