"""The losses of linear models: softmax for classes, logistic for binary labels, squared for numbers.

Each loss holds the gold labels of n items and the weight of each item in each of b models; weight 0 leaves an item out.
Scores are float32 [n, b, k], as in `newton_cg`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self, TypeAlias, TypeVar, cast

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

    def times(self, factor: float) -> Self:
        """Return the loss multiplied by a factor."""
        return cast("Self", replace(cast("Any", self), weights=self.weights * np.float32(factor)))

    @abstractmethod
    def prior(self) -> Block:
        """Return initial offsets, [1, b models, k scores], that fit how often each label occurs."""

    @abstractmethod
    def value(self, scores: Block) -> Block:
        """Return the weighted sum of the items' losses under each of b models, [1, b, 1].

        Args:
            scores: [n items, b models, k scores].
        """

    @abstractmethod
    def gradient(self, scores: Block) -> Block:
        """Return the derivative of the loss with respect to each score, [n items, b models, k scores]."""

    @abstractmethod
    def hessian(self, scores: Block) -> Callable[[Block], Block]:
        """Return a function that multiplies a direction in the scores, [n, b, k], by the loss's second derivative."""


@dataclass(frozen=True, slots=True)
class SoftmaxLoss(Loss):
    """Cross-entropy of a softmax over k classes.

    Attributes:
        gold: float32 [n, 1, k], one-hot labels of n items; or [n, b, k], if each model has items of its own.
        weights: float32 [n, b, 1], the weight of each item in each of b models.
    """

    gold: Block
    weights: Block

    def prior(self) -> Block:
        """Return initial offsets, [1, b, k]: the log of each class's share of the items' weights.

        The shares are relative to the largest share. A class without items has a very low value.
        """
        shares = (self.weights * self.gold).sum(0, keepdims=True)
        logs = np.log(np.maximum(shares, _TINY)) - np.log(np.maximum(shares.max(2, keepdims=True), _TINY))
        return np.where(shares > 0, logs, _RULED_OUT).astype(np.float32)

    def value(self, scores: Block) -> Block:
        """Return the weighted sum over items of the log-sum-exp of the scores minus the right class's score, [1, b, 1].

        Args:
            scores: [n, b, k], the score of each item, model and class.
        """
        top = scores.max(2, keepdims=True)
        log_sum = np.log(np.exp(scores - top).sum(2, keepdims=True)) + top
        return sums(self.weights * (log_sum - (scores * self.gold).sum(2, keepdims=True)))

    def gradient(self, scores: Block) -> Block:
        """Return the derivative by each score, [n, b, k]: (probability - gold label) times the item's weight.

        Args:
            scores: [n, b, k], the score of each item, model and class.
        """
        gradient: Block = self.weights * (_softmax(scores) - self.gold)
        return gradient

    def hessian(self, scores: Block) -> Callable[[Block], Block]:
        """Return a function that multiplies a direction in the scores, [n, b, k], by the loss's second derivative.

        For an item with class probabilities p, the second derivative is `diag(p) - p p'` times the item's weight.
        """
        shares = _softmax(scores)
        weighted = shares * self.weights
        return lambda direction: weighted * (direction - np.einsum("nbk,nbk->nb", shares, direction)[:, :, None])


@dataclass(frozen=True, slots=True)
class LogisticLoss(Loss):
    """Logistic loss of binary labels; each label has a model of its own, which gives an item one score.

    Attributes:
        signs: float32 [n, b, 1] for n items and b models, 1 where the item has the label and -1 where not.
        weights: float32 [n, b, 1], the weight of each item in each model.
    """

    signs: Block
    weights: Block

    def prior(self) -> Block:
        """Return initial offsets, [1, b, 1]: the log-odds of the weighted share of items that have the label."""
        total, balance = sums(self.weights), sums(self.weights * self.signs)
        share = np.clip(balance / np.maximum(total, _TINY), -_MAX_SHARE, _MAX_SHARE)
        return (2 * np.arctanh(share)).astype(np.float32)

    def value(self, scores: Block) -> Block:
        """Return the weighted sum of `log(1 + exp(-sign * score))` over items, [1, b, 1].

        The sign is 1 for an item that has the label, -1 for an item without.

        Args:
            scores: [n, b, 1], the score of each item in each model.
        """
        negative_margin = -self.signs * scores
        return sums(self.weights * (np.maximum(negative_margin, 0) + np.log1p(np.exp(-np.abs(negative_margin)))))

    def gradient(self, scores: Block) -> Block:
        """Return the derivative by each score, [n, b, 1]: -sign * (probability of the wrong answer) * (item's weight).

        The sign is 1 for an item that has the label, -1 for an item without.

        Args:
            scores: [n, b, 1], the score of each item in each model.
        """
        gradient: Block = -self.weights * self.signs * expit(-self.signs * scores)
        return gradient

    def hessian(self, scores: Block) -> Callable[[Block], Block]:
        """Return a function that multiplies a direction in the scores, [n, b, 1], by the loss's second derivative.

        For an item with probability p of the label, the second derivative is `p (1 - p)` times the item's weight.
        """
        shares = expit(scores)
        variance = self.weights * shares * (1 - shares)
        return lambda direction: variance * direction


@dataclass(frozen=True, slots=True)
class SquaredLoss(Loss):
    """Half the squared error of k numbers per item.

    Attributes:
        gold: float32 [n, 1, k], the numbers of n items; or [n, b, k], if each model has items of its own.
        weights: float32 [n, b, 1], the weight of each item in each of b models.
    """

    gold: Block
    weights: Block

    def prior(self) -> Block:
        """Return initial offsets, [1, b, k]: the weighted mean of the gold numbers."""
        total = np.maximum(self.weights.sum(0, keepdims=True), _TINY)
        mean: Block = (self.weights * self.gold).sum(0, keepdims=True) / total
        return mean

    def value(self, scores: Block) -> Block:
        """Return half the weighted sum of the items' squared errors, [1, b, 1].

        Args:
            scores: [n, b, k], the k numbers that each model predicts for each item.
        """
        return sums(self.weights * np.square(scores - self.gold)) / np.float32(2)

    def gradient(self, scores: Block) -> Block:
        """Return the derivative by each score, [n, b, k]: (score - gold number) times the item's weight."""
        gradient: Block = self.weights * (scores - self.gold)
        return gradient

    def hessian(self, scores: Block) -> Callable[[Block], Block]:  # noqa: ARG002 - a Loss
        """Return a function that multiplies a direction in the scores, [n, b, k], by the loss's second derivative.

        This derivative is the item's weight.
        """
        return lambda direction: self.weights * direction


AnyLoss = TypeVar("AnyLoss", bound=Loss)


def stacked(losses: Sequence[AnyLoss]) -> AnyLoss:
    """Return the losses of models with items of their own as one loss, with all models side by side.

    Models with fewer items than others get items of weight 0.

    Args:
        losses: losses of one class, with as many models and as many scores each.
    """
    items = max(loss.items for loss in losses)

    def side_by_side(name: str) -> Block:
        blocks = [getattr(loss, name) for loss in losses]
        return np.concatenate([np.pad(block, ((0, items - len(block)), (0, 0), (0, 0))) for block in blocks], axis=1)

    first = cast("Any", losses[0])
    return cast("AnyLoss", replace(first, **{field.name: side_by_side(field.name) for field in fields(first)}))


def sums(values: Block) -> Block:
    """Return one sum for each of b models, over the first and the last axis of a block.

    Args:
        values: [n or d, b, k].

    Returns:
        [1, b, 1].
    """
    total: Block = values.sum((0, 2), keepdims=True)
    return total


def inner_products(first: Block, second: Block) -> Block:
    """Return the inner product of two blocks for each of b models, without copying them.

    Args:
        first: [n or d, b, k].
        second: a block of the same shape.

    Returns:
        [1, b, 1].
    """
    products: Block = np.einsum("vbk,vbk->b", first, second)[None, :, None]
    return products


def _softmax(scores: Block) -> Block:
    """Return the softmax over the classes."""
    exponentials = np.exp(scores - scores.max(2, keepdims=True))
    shares: Block = exponentials / exponentials.sum(2, keepdims=True)
    return shares
