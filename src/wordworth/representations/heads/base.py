"""The protocol of heads (`Head`, `FittedHead`), and the labels that they learn (`Target`).

A head is the estimator that learns labels from a representation's features, such as logistic regression. A view is one
of the alternative feature sets that a representation offers, such as words, characters or both; the head selects one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.representations.rung import Predictions
from wordworth.tasks import task_types
from wordworth.tasks.labels import take
from wordworth.tasks.selection_score import selection_score
from wordworth.tasks.task import Examples, Kind, Labels, Rows, Task
from wordworth.tasks.task_types import TaskType


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The labels of n items and the metric that they are judged by.

    Attributes:
        labels: the labels in the form of `Task.labels`, one entry per item.
        lengths: int64 [n], number of words of each sentence for tagging, where features have one row per word; else
            None.
        groups: int64 [n], the group of each item, which is either learned from or held out as a whole; None where the
            user names no groups.
    """

    kind: Kind
    labels: Labels
    classes: tuple[str, ...]
    metric: str
    lengths: NDArray[np.int64] | None = None
    groups: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def score(self, predictions: Predictions) -> float:
        """Return the score of predictions by the task's metric.

        Where the metric is undefined, the score is accuracy or, for regression, minus the mean squared error.
        """
        return selection_score(self, self.labels, predictions)

    @property
    def type(self) -> TaskType:
        """The `TaskType` of `kind`, which holds everything that depends on the kind of task."""
        return task_types.get(self.kind)

    def take(self, items: Rows) -> Target:
        """Return the target of some items, in the order of the indices.

        Args:
            items: int64 [n], the indices of the items.
        """
        lengths = None if self.lengths is None else self.lengths[items]
        groups = None if self.groups is None else self.groups[items]
        return replace(self, labels=take(self.labels, items), lengths=lengths, groups=groups)

    @classmethod
    def of(cls, task: Task, rows: Rows) -> Target:
        """Return the labels of some rows of a task, with what a head needs to learn them.

        Args:
            task: the task.
            rows: int64 [n], indices of the task's rows.
        """
        groups = task.examples.groups
        return cls(
            kind=task.kind,
            labels=task.gold(rows),
            classes=task.classes,
            metric=task.metric,
            lengths=sentence_lengths(task.examples, task.kind, rows),
            groups=None if groups is None else np.array([groups[row] for row in rows], dtype=np.int64),
        )


def sentence_lengths(examples: Examples, kind: Kind, rows: Rows) -> NDArray[np.int64] | None:
    """Return the number of words of each sentence for tagging; None for other kinds of task.

    Args:
        examples: the texts of the task.
        kind: the kind of task.
        rows: int64 [sentences], the indices of the sentences in `examples`.

    Returns:
        int64 [sentences], or None.
    """
    if examples.words is None or not task_types.get(kind).labels_words:
        return None
    return np.array([len(examples.words[row]) for row in rows], dtype=np.int64)


Views: TypeAlias = Mapping[str, Features]

FoldFeatures: TypeAlias = Callable[[Rows, Rows], tuple[Views, Views]]
"""Function of (training items, held-out items) that returns the views of each, by a representation that was fitted on
the training items' texts alone."""


class FittedHead(Protocol):
    """A head fitted on one view, that is, on one of the alternative feature sets of a representation."""

    @property
    def view(self) -> str:
        """The name of the view (feature set) that the head reads."""
        ...

    @property
    def chosen(self) -> Mapping[str, object]:
        """The selected settings, as a study writes them into its record."""
        ...

    @property
    def parameters(self) -> int:
        """Number of learned parameters."""
        ...

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return predictions from the features of the view (feature set) that the head chose.

        Args:
            features: [n, width].
            lengths: for tagging int64 [sentences], the number of words of each sentence; else None.
        """
        ...


class Choice(Protocol):
    """The settings that a head selected; hashable and comparable, so that a cache key can contain them."""

    @property
    def view(self) -> str:
        """The name of the view (feature set) that the head will be fitted on."""
        ...

    def __hash__(self) -> int: ...


class Head(ABC):
    """An estimator from features to predictions, which selects its settings before it is fitted."""

    __slots__ = ()

    @property
    @abstractmethod
    def kinds(self) -> frozenset[Kind]:
        """The names of the kinds of task that the head can learn."""

    @abstractmethod
    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> Choice:
        """Select the view (feature set) and all settings by cross-validation on the target's items.

        Args:
            features: function of (training items, held-out items) that returns the views of both, as a pair.
            target: the labels of the items.
            rng: source of randomness.
        """

    @abstractmethod
    def learn(self, views: Mapping[str, Features], target: Target, choice: Any, rng: np.random.Generator) -> FittedHead:  # noqa: ANN401 - what this head's `choose` gave
        """Fit the head on the target's items with the selected settings.

        Args:
            views: name -> features of the target's items.
            target: the labels of these items.
            choice: the settings that `choose` selected.
            rng: the source of initial weights, order of batches and the like.
        """

    def with_progress(self, report: Callable[[float], None]) -> Self:  # noqa: ARG002 - for heads that report
        """Return the same head whose `choose` and `learn` call `report` with each fraction of a fit that is done.

        The fractions are estimates, as a search may end early; they may sum to less than 1, or to more.

        Args:
            report: called with each fraction, from 0 to 1.
        """
        return self

    @property
    def max_selection_items(self) -> int | None:
        """The maximum number of items that `choose` gets, always the first items of a fit; None for all items."""
        return None

    @property
    def is_stochastic(self) -> bool:
        """True if `learn` draws random numbers (initial weights), so that its result depends on `rng`."""
        return False

    def num_learned(self, width: int, target: Target, views: Callable[[], Views]) -> int:  # noqa: ARG002 - for other heads
        """Return the number of learned parameters; the default is the number of parameters of a linear map.

        Args:
            width: number of features of the widest view.
            target: the labels.
            views: function that returns the views of the target's items, for heads whose size depends on them.
        """
        return (width + 1) * max(len(target.classes), 1)


def first_view(features: FoldFeatures, target: Target) -> str:
    """Return the name of the first view (feature set), for targets with too few items to compare views on.

    Args:
        features: function of (training items, held-out items) that returns the views of both, as a pair.
        target: the labels of the items.
    """
    views, _ = features(np.arange(len(target)), np.arange(0))
    return next(iter(views))


def concatenate(targets: Sequence[Target]) -> Target:
    """Concatenate targets of the same task, to score them together; the result has no groups."""
    first = replace(targets[0], groups=None)
    lengths = None if first.lengths is None else np.concatenate([np.asarray(target.lengths) for target in targets])
    if isinstance(first.labels, tuple):
        return replace(first, labels=tuple(tags for target in targets for tags in target.labels), lengths=lengths)
    return replace(first, labels=np.concatenate([np.asarray(target.labels) for target in targets]), lengths=lengths)
