"""The losses of a linear model: of classes, of binary labels, and of numbers.

Each holds the gold answers of n items and a weight for each item in each of b models; weight 0 leaves an item out.
Scores are float32 [n, b, k], as in `newton_cg`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

Block: TypeAlias = NDArray[np.float32]

_TINY = np.float32(1e-30)
_SURE = 0.999
_SHUT = -1e4
"""An offset that rules a class out, finite so that no NaN can arise."""


class Loss(ABC):
    """A loss that is convex in the scores; `weights` are float32 [n, b, 1]."""

    __slots__ = ()
    weights: Block

    @property
    def items(self) -> int:
        """Number of items, n."""
        return len(self.weights)

    @abstractmethod
    def prior(self) -> Block:
        """Return the initial offsets [1, b, k]: the labels' base rates."""

    @abstractmethod
    def value(self, scores: Block) -> Block:
        """Return the weighted sum of losses, [1, b, 1]."""

    @abstractmethod
    def slope(self, scores: Block) -> Block:
        """Return the derivative of the loss by each score."""

    @abstractmethod
    def curvature(self, scores: Block) -> Callable[[Block], Block]:
        """Return the second derivative by the scores, as a map of directions."""


@dataclass(frozen=True, slots=True)
class Classes(Loss):
    """Cross-entropy of a softmax over k classes.

    Attributes:
        gold: float32 [n, 1, k], one-hot.
        weights: float32 [n, b, 1].
    """

    gold: Block
    weights: Block

    def prior(self) -> Block:
        """Return the log of each class's fraction of the weight; a class without any is ruled out."""
        shares = np.einsum("nk,nb->bk", self.gold[:, 0], self.weights[:, :, 0])[None]
        logs = np.log(np.maximum(shares, _TINY)) - np.log(np.maximum(shares.max(2, keepdims=True), _TINY))
        return np.where(shares > 0, logs, _SHUT).astype(np.float32)

    def value(self, scores: Block) -> Block:
        """Return the log of the summed exponentials minus the gold class's score."""
        top = scores.max(2, keepdims=True)
        log_sum = np.log(np.exp(scores - top).sum(2, keepdims=True)) + top
        return sums(self.weights * (log_sum - (scores * self.gold).sum(2, keepdims=True)))

    def slope(self, scores: Block) -> Block:
        """Return probability minus gold."""
        slope: Block = self.weights * (_shares(scores) - self.gold)
        return slope

    def curvature(self, scores: Block) -> Callable[[Block], Block]:
        """Return `diag(p) - p p'` at each item."""
        shares = _shares(scores)
        weighted = shares * self.weights
        return lambda along: weighted * (along - (shares * along).sum(2, keepdims=True))


@dataclass(frozen=True, slots=True)
class Labels(Loss):
    """Logistic loss of binary labels; one model per label, k = 1.

    Attributes:
        signs: float32 [n, b, 1], 1 where the item has the label and -1 where not.
        weights: float32 [n, b, 1].
    """

    signs: Block
    weights: Block

    def prior(self) -> Block:
        """Return the log-odds of the label's frequency."""
        total, balance = sums(self.weights), sums(self.weights * self.signs)
        share = np.clip(balance / np.maximum(total, _TINY), -_SURE, _SURE)
        return (2 * np.arctanh(share)).astype(np.float32)

    def value(self, scores: Block) -> Block:
        """Return the sum of `log(1 + exp(-sign * score))`."""
        against = -self.signs * scores
        return sums(self.weights * (np.maximum(against, 0) + np.log1p(np.exp(-np.abs(against)))))

    def slope(self, scores: Block) -> Block:
        """Return minus the sign, times the probability of the wrong answer."""
        slope: Block = -self.weights * self.signs * expit(-self.signs * scores)
        return slope

    def curvature(self, scores: Block) -> Callable[[Block], Block]:
        """Return `p (1 - p)` at each item."""
        shares = expit(scores)
        bent = self.weights * shares * (1 - shares)
        return lambda along: bent * along


@dataclass(frozen=True, slots=True)
class Numbers(Loss):
    """Half the squared error of k numbers per item.

    Attributes:
        gold: float32 [n, 1, k].
        weights: float32 [n, b, 1].
    """

    gold: Block
    weights: Block

    def prior(self) -> Block:
        """Return the mean."""
        total = np.maximum(self.weights.sum(0, keepdims=True), _TINY)
        mean: Block = (self.weights * self.gold).sum(0, keepdims=True) / total
        return mean

    def value(self, scores: Block) -> Block:
        """Return the weighted squared errors, halved."""
        return sums(self.weights * np.square(scores - self.gold)) / np.float32(2)

    def slope(self, scores: Block) -> Block:
        """Return the error."""
        slope: Block = self.weights * (scores - self.gold)
        return slope

    def curvature(self, scores: Block) -> Callable[[Block], Block]:  # noqa: ARG002 - a Loss
        """Return one at each item."""
        return lambda along: self.weights * along


def sums(values: Block) -> Block:
    """Return [1, b, 1]: sums over items (or numbers) and scores, for each model."""
    total: Block = values.sum((0, 2), keepdims=True)
    return total


def _shares(scores: Block) -> Block:
    """Return the softmax over the classes."""
    grown = np.exp(scores - scores.max(2, keepdims=True))
    shares: Block = grown / grown.sum(2, keepdims=True)
    return shares
