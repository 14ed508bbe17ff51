"""Learning problems of linear models by kind of label: the loss to minimise, and how its solution gives scores.

The solver minimises `Problem.loss`, with one model per label for multilabel tasks. Its solution has one score for two
classes, and none for a class without examples; `Problem.expand` turns it into weights and offsets for every class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_losses import Block, LogisticLoss, Loss, SoftmaxLoss, SquaredLoss
from wordworth.representations.rung import Predictions
from wordworth.tasks import task_types
from wordworth.tasks.task import Kind
from wordworth.text.corpus.index_ranges import split_by

Floats: TypeAlias = NDArray[np.float64]
_NEVER = -np.inf


class Problem(Protocol):
    """The gold labels of n rows, and the loss that a linear model of them minimises."""

    @property
    def width(self) -> int:
        """Number of scores of a row: one score for every class, label or number."""
        ...

    @property
    def is_trivial(self) -> bool:
        """True if there is nothing to learn, as all rows have the same label."""
        ...

    def constant(self) -> Floats:
        """Return offsets [width] that predict the label that all rows have; only for a trivial problem."""
        ...

    def loss(self, strength: float) -> Loss:
        """Return the loss times `strength`, the inverse regularisation strength C."""
        ...

    def expand(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """Return the weights, [d, width], and offsets, [width], of all scores: one for each class, label or number.

        Args:
            weights: [d, k], the weights for the k scores that the solver learned; k may be less than width, the number
                of all scores.
            offsets: [k], the offsets of these scores.
        """
        ...


def problem_of(target: Target) -> Problem:
    """Return the learning problem of a target's items, or of their words for tagging."""
    if isinstance(target.labels, tuple):
        return ClassProblem.of(np.concatenate([np.zeros(0, np.int64), *target.labels]), len(target.classes))
    if np.issubdtype(target.labels.dtype, np.floating):
        return NumberProblem.of(np.asarray(target.labels, dtype=np.float64))
    if target.labels.dtype == np.bool_:
        return LabelProblem(target.labels)
    return ClassProblem.of(target.labels, len(target.classes))


def to_predictions(scores: NDArray[np.float64], kind: Kind, lengths: NDArray[np.int64] | None) -> Predictions:
    """Convert scores to `Predictions` for a kind of task.

    Args:
        scores: float64 [rows, k].
        kind: the kind of task.
        lengths: for tagging int64 [sentences], the number of words of each sentence; else None.
    """
    task_type = task_types.get(kind)
    if task_type.numeric:
        return np.asarray(scores[:, 0])
    if not task_type.labels_words:
        return scores
    assert lengths is not None  # noqa: S101 - by the contract of FittedHead
    best = scores.argmax(1).astype(np.int64)
    return split_by(lengths, best)


@dataclass(frozen=True, slots=True)
class ClassProblem:
    """Multinomial logistic regression over the classes with examples; two classes share one score, their log-odds.

    Attributes:
        seen: int64 [seen], the classes that occur.
        gold: float32 [n, seen], one-hot.
        width: number of all classes.
    """

    seen: NDArray[np.int64]
    gold: Block
    width: int

    @classmethod
    def of(cls, labels: NDArray[np.int64], count: int) -> ClassProblem:
        """Return the classification problem of given labels.

        Args:
            labels: int64 [n], the index of each row's class.
            count: number of classes.
        """
        seen = np.unique(labels)
        return cls(seen, (labels[:, None] == seen).astype(np.float32), count)

    @property
    def is_trivial(self) -> bool:
        """True if fewer than two classes occur."""
        return len(self.seen) < 2  # noqa: PLR2004 - two to tell apart

    def constant(self) -> Floats:
        """Return offsets [classes] that predict the only class that occurs, or the first class if there are no rows."""
        offsets = np.full(self.width, _NEVER)
        offsets[self.seen if len(self.seen) else 0] = 0.0
        return offsets

    def loss(self, strength: float) -> Loss:
        """Return the logistic loss for two classes, or the softmax loss for more, times `strength`.

        Args:
            strength: the inverse regularisation strength C.
        """
        weights = np.full((len(self.gold), 1, 1), strength, np.float32)
        if len(self.seen) > 2:  # noqa: PLR2004 - more than two
            return SoftmaxLoss(self.gold[:, None], weights)
        return LogisticLoss((self.gold[:, 1:] - self.gold[:, :1])[:, None], weights)

    def expand(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """Return the weights, [d, width], and the offsets, [width], of all classes, from those that the solver learned.

        A class without examples was not learned; it has weights of 0 and the offset -inf.

        Args:
            weights: [d, k], the weights for the k classes that occur, or [d, 1] for the log-odds of two classes.
            offsets: [k], their offsets.
        """
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
    """One logistic regression per label; a label of no training row is never predicted, a label of all rows always.

    Attributes:
        has_label: bool [n, labels], whether each row has each label.
    """

    has_label: NDArray[np.bool_]

    @property
    def width(self) -> int:
        """Number of labels."""
        return int(self.has_label.shape[1])

    @property
    def is_trivial(self) -> bool:
        """True if nothing is to be learned: every label is on all rows or on no row."""
        return not np.isnan(self.constant()).any()

    def constant(self) -> Floats:
        """Return an offset for each label, [labels]: -inf if no row has the label, inf if all have it, else NaN."""
        share = self.has_label.mean(0) if len(self.has_label) else np.zeros(self.width)
        return np.where(share == 0, _NEVER, np.where(share == 1, np.inf, np.nan))

    def loss(self, strength: float) -> Loss:
        """Return the logistic loss, with one model for each label, times `strength`, the inverse regularisation C.

        A label on all rows or on none has weight 0, so that the solver leaves it: its loss has no minimum.
        """
        signs = np.where(self.has_label, np.float32(1), np.float32(-1))
        weights = np.where(np.isnan(self.constant()), np.float32(strength), np.float32(0))
        return LogisticLoss(signs[:, :, None], np.tile(weights[:, None], (len(signs), 1, 1)))

    def expand(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """Return weights and offsets in which labels that are on all rows, or on no row, have constant scores.

        Such a label was not learned. It gets weights of 0, and the offset inf (on all rows) or -inf (on no row).

        Args:
            weights: [d, labels], the weights that the solver learned.
            offsets: [labels], the offsets that the solver learned.
        """
        fixed = self.constant()
        free = np.isnan(fixed)
        return np.where(free, weights, np.float32(0)), np.where(free, offsets, fixed)


@dataclass(frozen=True, slots=True)
class NumberProblem:
    """Ridge regression of n numbers, [n].

    The numbers are standardised to mean 0 and variance 1, so that C has the same scale as in classification.
    """

    gold: Block
    mean: float
    deviation: float
    width: int = 1

    @classmethod
    def of(cls, values: Floats) -> NumberProblem:
        """Standardise numbers and return their regression problem.

        Args:
            values: float64 [n], the numbers, not standardised.
        """
        mean, deviation = (float(values.mean()), float(values.std())) if len(values) else (0.0, 0.0)
        gold = (values - mean) / (deviation or 1.0)
        return cls(gold.astype(np.float32), mean, deviation)

    @property
    def is_trivial(self) -> bool:
        """True if all numbers are equal."""
        return self.deviation == 0

    def constant(self) -> Floats:
        """Return the mean of the numbers, which is the offset of a model that predicts it for every row, [1]."""
        return np.array([self.mean])

    def loss(self, strength: float) -> Loss:
        """Return the squared loss times `strength`, the inverse regularisation strength C."""
        weights = np.full((len(self.gold), 1, 1), strength, np.float32)
        return SquaredLoss(self.gold[:, None, None], weights)

    def expand(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """Rescale weights and offsets of a model of standardised numbers, so that it predicts the original numbers.

        Args:
            weights: [d, 1].
            offsets: [1].

        Returns:
            Weights [d, 1] and offsets, float64 [1].
        """
        return weights * np.float32(self.deviation), offsets.astype(np.float64) * self.deviation + self.mean
