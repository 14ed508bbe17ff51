"""The learning problem of a linear model on n rows: its loss, and the meaning of its scores.

A problem knows the gold answers; `loss` gives them to the solver, with one model per label for multilabel; `expand`
turns the solver's models (one score for two classes, none for a class without examples) into scores of every class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_losses import Block, Classes, Labels, Loss, Numbers
from wordworth.representations.rung import Predictions
from wordworth.tasks import task_types
from wordworth.tasks.task import Kind

Floats: TypeAlias = NDArray[np.float64]
_NEVER = -np.inf


class Problem(Protocol):
    """Gold answers, and how a model learns them."""

    @property
    def width(self) -> int:
        """Number of scores: one for every class, label or number."""
        ...

    @property
    def is_trivial(self) -> bool:
        """Whether there is nothing to learn, as all rows have the same answer."""
        ...

    def constant(self) -> Floats:
        """Return offsets [width] that predict that answer."""
        ...

    def loss(self, strength: float) -> Loss:
        """Return the loss, times C."""
        ...

    def expand(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """Expand one model's weights [d, k] and offsets [k] to weights [d, width] and offsets [width]."""
        ...


def problem_of(target: Target) -> Problem:
    """Return the learning problem of a target's rows (its words, for tags)."""
    if isinstance(target.labels, tuple):
        return ClassProblem.of(np.concatenate([np.zeros(0, np.int64), *target.labels]), len(target.classes))
    if np.issubdtype(target.labels.dtype, np.floating):
        return NumberProblem.of(np.asarray(target.labels, dtype=np.float64))
    if target.labels.dtype == np.bool_:
        return LabelProblem(target.labels)
    return ClassProblem.of(target.labels, len(target.classes))


def to_predictions(scores: NDArray[np.float64], kind: Kind, lengths: NDArray[np.int64] | None) -> Predictions:
    """Convert scores [rows, k] into `Predictions` for the kind of task."""
    task_type = task_types.get(kind)
    if task_type.numeric:
        return np.asarray(scores[:, 0])
    if not task_type.labels_words:
        return scores
    assert lengths is not None  # noqa: S101 - by the contract of FittedHead
    best = scores.argmax(1).astype(np.int64)
    return tuple(np.split(best, np.cumsum(lengths)[:-1])) if len(lengths) else ()


@dataclass(frozen=True, slots=True)
class ClassProblem:
    """Multinomial logistic regression over the classes with examples; two classes share one score, their log-odds.

    Attributes:
        seen: int64, the classes that occur.
        gold: float32 [n, seen], one-hot.
        width: number of all classes.
    """

    seen: NDArray[np.int64]
    gold: Block
    width: int

    @classmethod
    def of(cls, labels: NDArray[np.int64], count: int) -> ClassProblem:
        """Build the problem from class indices, int64 [n], of `count` classes."""
        seen = np.unique(labels)
        return cls(seen, (labels[:, None] == seen).astype(np.float32), count)

    @property
    def is_trivial(self) -> bool:
        """Whether there is at most one class."""
        return len(self.seen) < 2  # noqa: PLR2004 - two to tell apart

    def constant(self) -> Floats:
        """Return offsets for the only class; for the first one if there is none."""
        offsets = np.full(self.width, _NEVER)
        offsets[self.seen if len(self.seen) else 0] = 0.0
        return offsets

    def loss(self, strength: float) -> Loss:
        """Return the loss of the log-odds of two classes, or of a softmax over more."""
        weights = np.full((len(self.gold), 1, 1), strength, np.float32)
        if len(self.seen) > 2:  # noqa: PLR2004 - more than two
            return Classes(self.gold[:, None], weights)
        return Labels((self.gold[:, 1:] - self.gold[:, :1])[:, None], weights)

    def expand(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """Expand to all classes; a class without examples scores -inf."""
        if weights.shape[1] == 1:
            half = np.array([-0.5, 0.5], np.float32)
            weights, offsets = weights * half, offsets * half
        whole = np.zeros((len(weights), self.width), np.float32)
        whole[:, self.seen] = weights
        shifts = np.full(self.width, _NEVER)
        shifts[self.seen] = offsets
        return whole, shifts


@dataclass(frozen=True, slots=True)
class LabelProblem:
    """One logistic regression per label; a label that no (every) training row has is never (always) predicted.

    Attributes:
        has_label: bool [n, labels], which labels each row has.
    """

    has_label: NDArray[np.bool_]

    @property
    def width(self) -> int:
        """Number of labels."""
        return int(self.has_label.shape[1])

    @property
    def is_trivial(self) -> bool:
        """Whether every label is on all rows or on none."""
        return not np.isnan(self.constant()).any()

    def constant(self) -> Floats:
        """Return -inf for a label on no row, inf for one on all rows, NaN for others."""
        share = self.has_label.mean(0) if len(self.has_label) else np.zeros(self.width)
        return np.where(share == 0, _NEVER, np.where(share == 1, np.inf, np.nan))

    def loss(self, strength: float) -> Loss:
        """Return the loss, with a model for each label."""
        signs = np.where(self.has_label, np.float32(1), np.float32(-1))
        return Labels(signs[:, :, None], np.full((*self.has_label.shape, 1), strength, np.float32))

    def expand(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """Return weights and offsets unchanged, except for labels on no row or on all."""
        fixed = self.constant()
        free = np.isnan(fixed)
        return np.where(free, weights, np.float32(0)), np.where(free, offsets, fixed)


@dataclass(frozen=True, slots=True)
class NumberProblem:
    """Ridge regression of standardised numbers (mean 0, variance 1), so that C means the same as for classes."""

    gold: Block
    mean: float
    deviation: float
    width: int = 1

    @classmethod
    def of(cls, values: Floats) -> NumberProblem:
        """Build the problem from values, float64 [n]."""
        mean, deviation = (float(values.mean()), float(values.std())) if len(values) else (0.0, 0.0)
        gold = (values - mean) / (deviation or 1.0)
        return cls(gold.astype(np.float32), mean, deviation)

    @property
    def is_trivial(self) -> bool:
        """Whether all numbers are equal."""
        return self.deviation == 0

    def constant(self) -> Floats:
        """Return that number."""
        return np.array([self.mean])

    def loss(self, strength: float) -> Loss:
        """Return the squared loss."""
        weights = np.full((len(self.gold), 1, 1), strength, np.float32)
        return Numbers(self.gold[:, None, None], weights)

    def expand(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """Rescale to the numbers' original scale."""
        return weights * np.float32(self.deviation), offsets.astype(np.float64) * self.deviation + self.mean
