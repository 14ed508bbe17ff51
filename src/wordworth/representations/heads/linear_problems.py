"""What a linear model is asked about n rows: which loss its scores meet, and what they mean.

A question knows the gold answers; `loss` gives them to the solver, a model for each label where there are many;
`spread` turns what the solver gives (one score for two classes, none for a class never seen) into scores of every
class.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.base import Target
from wordworth.representations.heads.linear_losses import Block, Classes, Labels, Loss, Numbers
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind

Floats: TypeAlias = NDArray[np.float64]
_NEVER = -np.inf


class Question(Protocol):
    """Gold answers, and how they are learned."""

    @property
    def width(self) -> int:
        """Scores of every class, label or number."""
        ...

    @property
    def settled(self) -> bool:
        """Whether there is nothing to learn, all rows having one answer."""
        ...

    def constant(self) -> Floats:
        """Offsets [width] that give that answer."""
        ...

    def loss(self, strength: float) -> Loss:
        """The loss, times C."""
        ...

    def spread(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """One model's weights [d, k] and offsets [k], as weights [d, width] and offsets [width]."""
        ...


def question(target: Target) -> Question:
    """The question that a target asks of its rows (its words, for tags)."""
    if target.kind == "regression":
        return OfNumbers.of(np.asarray(target.labels, dtype=np.float64))
    if target.kind == "multilabel":
        return OfLabels(np.asarray(target.labels, dtype=np.bool_))
    labels = np.concatenate([np.zeros(0, np.int64), *target.labels]) if target.kind == "tags" else target.labels
    return OfClasses.of(np.asarray(labels), len(target.classes))


def to_predictions(scores: NDArray[np.float64], kind: Kind, lengths: NDArray[np.int64] | None) -> Predictions:
    """What scores [rows, k] say, as `Predictions` of the kind of task."""
    if kind == "regression":
        return np.asarray(scores[:, 0])
    if kind != "tags":
        return scores
    assert lengths is not None  # noqa: S101 - by the contract of FittedHead
    best = scores.argmax(1).astype(np.int64)
    return tuple(np.split(best, np.cumsum(lengths)[:-1])) if len(lengths) else ()


@dataclass(frozen=True, slots=True)
class OfClasses:
    """Multinomial logistic regression over the classes seen; two classes share one score, their log-odds.

    Attributes:
        seen: int64, the classes that occur.
        gold: float32 [n, seen], one-hot.
        width: all classes.
    """

    seen: NDArray[np.int64]
    gold: Block
    width: int

    @classmethod
    def of(cls, labels: NDArray[np.int64], count: int) -> OfClasses:
        """Of class numbers [n]."""
        seen = np.unique(labels)
        return cls(seen, (labels[:, None] == seen).astype(np.float32), count)

    @property
    def settled(self) -> bool:
        """One class: always that one."""
        return len(self.seen) < 2  # noqa: PLR2004 - two to tell apart

    def constant(self) -> Floats:
        """The only class; the first one where there is none."""
        offsets = np.full(self.width, _NEVER)
        offsets[self.seen if len(self.seen) else 0] = 0.0
        return offsets

    def loss(self, strength: float) -> Loss:
        """Of the log-odds of two classes, or of a softmax over more."""
        weights = np.full((len(self.gold), 1, 1), strength, np.float32)
        if len(self.seen) > 2:  # noqa: PLR2004 - more than two
            return Classes(self.gold[:, None], weights)
        return Labels((self.gold[:, 1:] - self.gold[:, :1])[:, None], weights)

    def spread(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """A class not seen scores -inf."""
        if weights.shape[1] == 1:
            half = np.array([-0.5, 0.5], np.float32)
            weights, offsets = weights * half, offsets * half
        whole = np.zeros((len(weights), self.width), np.float32)
        whole[:, self.seen] = weights
        shifts = np.full(self.width, _NEVER)
        shifts[self.seen] = offsets
        return whole, shifts


@dataclass(frozen=True, slots=True)
class OfLabels:
    """One logistic regression a label; a label never (always) given in training is never (always) given.

    Attributes:
        given: bool [n, labels].
    """

    given: NDArray[np.bool_]

    @property
    def width(self) -> int:
        """All labels."""
        return int(self.given.shape[1])

    @property
    def settled(self) -> bool:
        """No label is given in some rows and not in others."""
        return not np.isnan(self.constant()).any()

    def constant(self) -> Floats:
        """-inf for a label never given, inf for one always given, NaN for others."""
        share = self.given.mean(0) if len(self.given) else np.zeros(self.width)
        return np.where(share == 0, _NEVER, np.where(share == 1, np.inf, np.nan))

    def loss(self, strength: float) -> Loss:
        """A model for each label."""
        signs = np.where(self.given, np.float32(1), np.float32(-1))
        return Labels(signs[:, :, None], np.full((*self.given.shape, 1), strength, np.float32))

    def spread(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """As they are, but for labels never or always given."""
        fixed = self.constant()
        free = np.isnan(fixed)
        return np.where(free, weights, np.float32(0)), np.where(free, offsets, fixed)


@dataclass(frozen=True, slots=True)
class OfNumbers:
    """Ridge regression of numbers brought to mean 0 and variance 1, so that strength means what it does for classes."""

    gold: Block
    mean: float
    deviation: float
    width: int = 1

    @classmethod
    def of(cls, values: Floats) -> OfNumbers:
        """Of float64 [n]."""
        mean, deviation = (float(values.mean()), float(values.std())) if len(values) else (0.0, 0.0)
        gold = (values - mean) / (deviation or 1.0)
        return cls(gold.astype(np.float32), mean, deviation)

    @property
    def settled(self) -> bool:
        """All numbers are alike."""
        return self.deviation == 0

    def constant(self) -> Floats:
        """That number."""
        return np.array([self.mean])

    def loss(self, strength: float) -> Loss:
        """Squares."""
        weights = np.full((len(self.gold), 1, 1), strength, np.float32)
        return Numbers(self.gold[:, None, None], weights)

    def spread(self, weights: Block, offsets: Block) -> tuple[Block, Floats]:
        """On the numbers' own scale."""
        return weights * np.float32(self.deviation), offsets.astype(np.float64) * self.deviation + self.mean
