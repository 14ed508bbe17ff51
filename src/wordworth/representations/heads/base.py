"""What a head learns (`Target`), and what it must do (`Head`, `FittedHead`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.representations.rung import Predictions
from wordworth.tasks import task_types
from wordworth.tasks.selection_score import selection_score
from wordworth.tasks.task import Kind, Labels, Rows, Task
from wordworth.tasks.task_types import TaskType


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The labels of n items and the metric that they are judged by.

    Attributes:
        labels: as in `Task.labels`, one entry per item.
        lengths: int64 [n], number of words of each sentence; only for tagging, where features have one row per word.
    """

    kind: Kind
    labels: Labels
    classes: tuple[str, ...]
    metric: str
    lengths: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def score(self, predictions: Predictions) -> float:
        """Return the task's metric; if undefined on these items, accuracy (for regression minus squared error)."""
        return selection_score(self, self.labels, predictions)

    @property
    def type(self) -> TaskType:
        """Everything that depends on the kind of the task."""
        return task_types.get(self.kind)

    def take(self, items: Rows) -> Target:
        """Return the target of `items` alone, in that order."""
        lengths = None if self.lengths is None else self.lengths[items]
        if isinstance(self.labels, tuple):
            return replace(self, labels=tuple(self.labels[item] for item in items), lengths=lengths)
        return replace(self, labels=self.labels[items], lengths=lengths)

    def feature_rows(self, items: Rows) -> Rows:
        """Return the rows of the features that belong to `items`: themselves, or the words of those sentences."""
        return items if self.lengths is None else word_rows(self.lengths, items)

    @classmethod
    def of(cls, task: Task, rows: Rows) -> Target:
        """Return the target of a task's `rows`."""
        words = task.examples.words
        lengths = None if words is None else np.array([len(words[row]) for row in rows], dtype=np.int64)
        return cls(
            kind=task.kind,
            labels=task.gold(rows),
            classes=task.classes,
            metric=task.metric,
            lengths=lengths if task.type.labels_words else None,
        )


def word_rows(lengths: NDArray[np.int64], sentences: Rows) -> Rows:
    """Return the rows of the words of `sentences`, where all sentences' words stand end to end.

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
"""`(training items, held-out items) -> (their views, their views)`, by a representation that was fitted on the training
items' texts alone."""


class FittedHead(Protocol):
    """A fitted head."""

    @property
    def view(self) -> str:
        """The name of the view that it reads."""
        ...

    @property
    def chosen(self) -> Mapping[str, object]:
        """What was selected, for the record."""
        ...

    @property
    def parameters(self) -> int:
        """Number of learned parameters."""
        ...

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return predictions from the chosen view; `lengths` is the number of words of each sentence (tagging only)."""
        ...


class Chosen(Protocol):
    """A head's choice; equal choices compare equal and have the same hash."""

    @property
    def view(self) -> str:
        """The name of the view that will be read."""
        ...

    def __hash__(self) -> int: ...


class Head(ABC):
    """Turns a representation's features into predictions: it chooses settings on some items, then learns from all."""

    __slots__ = ()

    @property
    @abstractmethod
    def kinds(self) -> frozenset[Kind]:
        """The kinds of task that it can do."""

    @abstractmethod
    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> Chosen:
        """Choose the view and all settings, by cross-validation inside the target's items alone."""

    @abstractmethod
    def learn(self, views: Mapping[str, Features], target: Target, choice: Any, rng: np.random.Generator) -> FittedHead:  # noqa: ANN401 - what this head's `choose` gave
        """Learn from the target's items with the settings chosen.

        Args:
            views: of the target's items.
            target: their labels.
            choice: what `choose` returned.
            rng: draws what learning leaves to chance.
        """

    @property
    def max_selection_items(self) -> int | None:
        """How many items, from the first on, a choice is made on; None for all of them."""
        return None

    @property
    def is_stochastic(self) -> bool:
        """True if learning draws random numbers (initial weights), so that the result differs from run to run."""
        return False

    def num_learned(self, width: int, target: Target, views: Callable[[], Views]) -> int:  # noqa: ARG002 - for other heads
        """Return how many parameters it learns: by default those of a linear map.

        Args:
            width: most features of a view.
            target: the labels.
            views: returns the views of the target's items, if the number depends on them.
        """
        return (width + 1) * max(len(target.classes), 1)


def first_view(features: FoldFeatures, target: Target) -> str:
    """Return the name of the first view, used where nothing can be chosen."""
    views, _ = features(np.arange(len(target)), np.arange(0))
    return next(iter(views))


def joined(targets: Sequence[Target]) -> Target:
    """Concatenate targets of one task."""
    first = targets[0]
    lengths = None if first.lengths is None else np.concatenate([np.asarray(target.lengths) for target in targets])
    if isinstance(first.labels, tuple):
        return replace(first, labels=tuple(tags for target in targets for tags in target.labels), lengths=lengths)
    return replace(first, labels=np.concatenate([np.asarray(target.labels) for target in targets]), lengths=lengths)
