"""What a head is given to learn (`Target`), and what it must do (`Head`, `FittedHead`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind, Labels, Rows, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The labels of n items and how they are judged.

    Attributes:
        labels: as in `Task.labels`, one entry an item.
        lengths: int64 [n], words of each sentence; only for tagging, where features have one row a word.
    """

    kind: Kind
    labels: Labels
    classes: tuple[str, ...]
    metric: str
    lengths: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, items: Rows) -> Target:
        """The target of `items` alone, in that order."""
        lengths = None if self.lengths is None else self.lengths[items]
        if isinstance(self.labels, tuple):
            return replace(self, labels=tuple(self.labels[item] for item in items), lengths=lengths)
        return replace(self, labels=self.labels[items], lengths=lengths)

    def feature_rows(self, items: Rows) -> Rows:
        """Rows of the features that belong to `items`: themselves, or the words of those sentences."""
        return items if self.lengths is None else word_rows(self.lengths, items)

    @classmethod
    def of(cls, task: Task, rows: Rows) -> Target:
        """The target of a task's `rows`."""
        words = task.examples.words
        lengths = None if words is None else np.array([len(words[row]) for row in rows], dtype=np.int64)
        return cls(
            kind=task.kind,
            labels=task.gold(rows),
            classes=task.classes,
            metric=task.metric,
            lengths=lengths if task.kind == "tags" else None,
        )


def word_rows(lengths: NDArray[np.int64], sentences: Rows) -> Rows:
    """Rows of the words of `sentences` where all sentences' words stand end to end.

    >>> word_rows(np.array([2, 3, 1]), np.array([2, 0])).tolist()
    [5, 0, 1]
    """
    starts = np.cumsum(lengths) - lengths
    taken = lengths[sentences]
    within = np.arange(taken.sum()) - np.repeat(np.cumsum(taken) - taken, taken)
    rows: Rows = np.repeat(starts[sentences], taken) + within
    return rows


Views: TypeAlias = Mapping[str, Features]

FoldFeatures: TypeAlias = Callable[[Rows, Rows], tuple[Views, Views]]
"""`(training items, held-out items) -> (their views, their views)`, by a representation that has learned from the
training items' texts alone."""


class FittedHead(Protocol):
    """A head that has learned."""

    @property
    def view(self) -> str:
        """Which of the representation's views it reads."""
        ...

    @property
    def chosen(self) -> Mapping[str, object]:
        """What was selected, for the record."""
        ...

    @property
    def parameters(self) -> int:
        """Learned numbers."""
        ...

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Predictions from the chosen view; `lengths` gives the words of each sentence (tagging only)."""
        ...


class Chosen(Protocol):
    """What a head has chosen; equal choices are equal and have one hash."""

    @property
    def view(self) -> str:
        """The view that it will read."""
        ...

    def __hash__(self) -> int: ...


class Head(Protocol):
    """What turns a representation's features into predictions: it chooses on some items, then learns from all."""

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of task it can do."""
        ...

    @property
    def most(self) -> int | None:
        """How many items a choice is made on: the first ones of however many there are; None for all of them."""
        ...

    @property
    def by_chance(self) -> bool:
        """Whether learning draws numbers (initial weights), so that the same items teach something else each time."""
        ...

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> Chosen:
        """The view and every other choice, made by cross-validation inside the target's items alone."""
        ...

    def learn(self, views: Mapping[str, Features], target: Target, choice: Any, rng: np.random.Generator) -> FittedHead:  # noqa: ANN401 - what this head's `choose` gave
        """Learn from the target's items under a choice."""
        ...


@runtime_checkable
class Weighed(Protocol):
    """A head that learns other numbers than one for each feature and class."""

    def num_learned(self, width: int, target: Target, views: Callable[[], Views]) -> int:
        """How many it learns from a target's items: of views of `width` features at most, read only where need be."""
        ...


def first_view(features: FoldFeatures, target: Target) -> str:
    """The view that is read where there is nothing to choose by."""
    seen, _ = features(np.arange(len(target)), np.arange(0))
    return next(iter(seen))


def joined(targets: Sequence[Target]) -> Target:
    """Targets of one task, one after another."""
    one = targets[0]
    lengths = None if one.lengths is None else np.concatenate([np.asarray(target.lengths) for target in targets])
    if isinstance(one.labels, tuple):
        return replace(one, labels=tuple(tags for target in targets for tags in target.labels), lengths=lengths)
    return replace(one, labels=np.concatenate([np.asarray(target.labels) for target in targets]), lengths=lengths)
