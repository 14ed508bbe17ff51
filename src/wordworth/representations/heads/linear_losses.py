"""The losses of linear models: softmax for classes, logistic for binary labels, squared for numbers.

Each loss holds the gold labels of n items and the weight of each item in each of b models; weight 0 leaves an item out.
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
_MAX_SHARE = 0.999
_RULED_OUT = -1e4
"""An offset that rules a class out, finite so that no NaN can arise."""


class Loss(ABC):
    """A loss of n items under each of b models, convex in the k scores that a model gives an item.

    Attributes:
        weights: float32 [n, b, 1], the weight of each item in each model; 0 leaves an item out.
    """

    __slots__ = ()
    weights: Block

    @property
    def items(self) -> int:
        """Number of items, n."""
        return len(self.weights)

    @abstractmethod
    def prior(self) -> Block:
        """Return the initial offsets [1, b, k], which fit the labels' base rates."""

    @abstractmethod
    def value(self, scores: Block) -> Block:
        """Return the weighted sum of losses, [1, b, 1]."""

    @abstractmethod
    def gradient(self, scores: Block) -> Block:
        """Return the derivative of the loss with respect to each score, [n, b, k]."""

    @abstractmethod
    def hessian(self, scores: Block) -> Callable[[Block], Block]:
        """Return the function that multiplies a direction [n, b, k] by the second derivative at `scores`."""


@dataclass(frozen=True, slots=True)
class SoftmaxLoss(Loss):
    """Cross-entropy of a softmax over k classes.

    Attributes:
        gold: float32 [n, 1, k], one-hot.
        weights: float32 [n, b, 1].
    """

    gold: Block
    weights: Block

    def prior(self) -> Block:
        """Return the log of each class's share of the weights; a very low value for a class without items."""
        shares = np.einsum("nk,nb->bk", self.gold[:, 0], self.weights[:, :, 0])[None]
        logs = np.log(np.maximum(shares, _TINY)) - np.log(np.maximum(shares.max(2, keepdims=True), _TINY))
        return np.where(shares > 0, logs, _RULED_OUT).astype(np.float32)

    def value(self, scores: Block) -> Block:
        """Return the sum of log-sum-exp minus the gold class's score."""
        top = scores.max(2, keepdims=True)
        log_sum = np.log(np.exp(scores - top).sum(2, keepdims=True)) + top
        return sums(self.weights * (log_sum - (scores * self.gold).sum(2, keepdims=True)))

    def gradient(self, scores: Block) -> Block:
        """Return the probabilities minus the gold labels, weighted."""
        gradient: Block = self.weights * (_softmax(scores) - self.gold)
        return gradient

    def hessian(self, scores: Block) -> Callable[[Block], Block]:
        """Return the function that multiplies a direction by `diag(p) - p p'`, p each item's class probabilities."""
        shares = _softmax(scores)
        weighted = shares * self.weights
        return lambda direction: weighted * (direction - np.einsum("nbk,nbk->nb", shares, direction)[:, :, None])


@dataclass(frozen=True, slots=True)
class LogisticLoss(Loss):
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
        share = np.clip(balance / np.maximum(total, _TINY), -_MAX_SHARE, _MAX_SHARE)
        return (2 * np.arctanh(share)).astype(np.float32)

    def value(self, scores: Block) -> Block:
        """Return the sum of `log(1 + exp(-sign * score))`."""
        negative_margin = -self.signs * scores
        return sums(self.weights * (np.maximum(negative_margin, 0) + np.log1p(np.exp(-np.abs(negative_margin)))))

    def gradient(self, scores: Block) -> Block:
        """Return minus the sign times the probability of the wrong label, weighted."""
        gradient: Block = -self.weights * self.signs * expit(-self.signs * scores)
        return gradient

    def hessian(self, scores: Block) -> Callable[[Block], Block]:
        """Return the function that multiplies a direction by `p (1 - p)` of each item, p the label's probability."""
        shares = expit(scores)
        variance = self.weights * shares * (1 - shares)
        return lambda direction: variance * direction


@dataclass(frozen=True, slots=True)
class SquaredLoss(Loss):
    """Half the squared error of k numbers per item.

    Attributes:
        gold: float32 [n, 1, k].
        weights: float32 [n, b, 1].
    """

    gold: Block
    weights: Block

    def prior(self) -> Block:
        """Return the weighted mean of the numbers."""
        total = np.maximum(self.weights.sum(0, keepdims=True), _TINY)
        mean: Block = (self.weights * self.gold).sum(0, keepdims=True) / total
        return mean

    def value(self, scores: Block) -> Block:
        """Return half the weighted sum of squared errors."""
        return sums(self.weights * np.square(scores - self.gold)) / np.float32(2)

    def gradient(self, scores: Block) -> Block:
        """Return the weighted errors."""
        gradient: Block = self.weights * (scores - self.gold)
        return gradient

    def hessian(self, scores: Block) -> Callable[[Block], Block]:  # noqa: ARG002 - a Loss
        """Return the function that multiplies a direction by the items' weights."""
        return lambda direction: self.weights * direction


def sums(values: Block) -> Block:
    """Sum over the first and last axis, from [n or d, b, k] to [1, b, 1]: one sum for each model."""
    total: Block = values.sum((0, 2), keepdims=True)
    return total


def inner_products(first: Block, second: Block) -> Block:
    """Return the inner product of each model, [1, b, 1] from two blocks [n or d, b, k]; no copy is made."""
    products: Block = np.einsum("vbk,vbk->b", first, second)[None, :, None]
    return products


def _softmax(scores: Block) -> Block:
    """Return the softmax over the classes."""
    exponentials = np.exp(scores - scores.max(2, keepdims=True))
    shares: Block = exponentials / exponentials.sum(2, keepdims=True)
    return shares
