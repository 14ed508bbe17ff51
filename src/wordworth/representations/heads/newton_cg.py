"""Many L2-regularised linear models at once, by truncated Newton steps on features that they share.

Every model minimises `sum_i weight_i * loss(score_i, gold_i) + |w|^2 / 2` over `score_i = features_i . w + offset`.
The models of a batch (one a label) differ by the weights of the items alone, so each step of the conjugate gradients is
one product of the features with a block of directions (Nash 2000; Lin, Weng and Keerthi 2008).

Axes: `n` items, `d` features, `b` models of the batch, `k` scores that a model gives an item.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features
from wordworth.representations.heads.linear_losses import Block, Loss, sums
from wordworth.representations.products import product

_MOST_INNER = 60
_LEFT = 0.3
"""Conjugate gradients stop where the residual is this share of the slope; the next Newton step sees to the rest."""
_HALVINGS = 10
_SUFFICIENT, _ROUNDING = 1e-4, 1e-5
_TINY = np.float32(1e-30)
_FLAT = np.float32(1e-9)


@dataclass(frozen=True, slots=True)
class Solution:
    """The models found.

    Attributes:
        numbers: [d, b, k], the weights.
        offsets: [b, k].
        scores: [n, b, k] of all items, those of weight 0 included.
        converged: bool [b].
    """

    numbers: Block
    offsets: Block
    scores: Block
    converged: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """When to stop.

    Attributes:
        tolerance: the share of the slope at weights of zero that may be left.
        steps: Newton steps at most.
    """

    tolerance: float = 1e-2
    steps: int = 100


def columns(block: Block) -> Block:
    """A block [n, b, k] as a matrix [n, b * k], also where no text holds anything to count and n is 0."""
    return block.reshape(len(block), math.prod(block.shape[1:]))


def solve(features: Features, loss: Loss, precision: Precision, near: Solution | None = None) -> Solution:
    """All models of a batch.

    Models start from weights of zero and offsets that say what is known without reading, or from a solution that is
    near (of another strength). Float32 throughout; the result depends on the arguments alone as long as products of
    matrices do not depend on threads (see `steady`).
    """
    at = _start(features, loss)
    slope = _slope(features, loss, at)
    square = slope.inner(slope)
    limit = np.maximum(square * np.float32(precision.tolerance**2), _TINY)
    if near is not None:
        at = _Vector(near.numbers.copy(), near.offsets[None].copy(), near.scores.copy())
        slope = _slope(features, loss, at)
        square = slope.inner(slope)
    for _ in range(precision.steps):
        steep = square > limit
        if not steep.any():
            break
        enough = np.where(steep, np.maximum(square * np.float32(_LEFT**2), limit / 4), np.inf)
        step = _newton(features, loss.curvature(at.scores), slope, enough)
        at.add(_length(loss, at, slope, step) * steep, step)
        slope = _slope(features, loss, at)
        square = slope.inner(slope)
    return Solution(at.numbers, at.offsets[0], at.scores, (square <= limit)[0, :, 0])


@dataclass(slots=True)
class _Vector:
    """Points or directions, one a model: numbers, offsets [1, b, k], and the scores that both give."""

    numbers: Block
    offsets: Block
    scores: Block

    def add(self, share: Block, other: _Vector) -> None:
        """`self += share * other`, in place."""
        self.numbers += share * other.numbers
        self.offsets += share * other.offsets
        self.scores += share * other.scores

    def turn(self, share: Block, towards: _Vector) -> None:
        """`self = share * self + towards`, in place."""
        self.numbers *= share
        self.offsets *= share
        self.scores *= share
        self.numbers += towards.numbers
        self.offsets += towards.offsets
        self.scores += towards.scores

    def copy(self) -> _Vector:
        return _Vector(self.numbers.copy(), self.offsets.copy(), self.scores.copy())

    def zero(self) -> _Vector:
        return _Vector(np.zeros_like(self.numbers), np.zeros_like(self.offsets), np.zeros_like(self.scores))

    def weights_inner(self, other: _Vector) -> Block:
        """Products of the weights, offsets left out."""
        return sums(self.numbers * other.numbers)

    def inner(self, other: _Vector) -> Block:
        """Products [1, b, 1], offsets included."""
        return self.weights_inner(other) + sums(self.offsets * other.offsets)


def _start(features: Features, loss: Loss) -> _Vector:
    offsets = loss.prior()
    scores = np.repeat(offsets, loss.items, axis=0)
    return _Vector(np.zeros((features.shape[1], *scores.shape[1:]), np.float32), offsets, scores)


def _slope(features: Features, loss: Loss, at: _Vector) -> _Vector:
    """Minus the gradient at a point, with the scores that it gives as a direction."""
    pushed = loss.slope(at.scores)
    numbers = -(at.numbers + _product(features.T, pushed))
    offsets = -pushed.sum(0, keepdims=True)
    return _Vector(numbers, offsets, _product(features, numbers) + offsets)


def _newton(features: Features, bend: Callable[[Block], Block], slope: _Vector, enough: Block) -> _Vector:
    """About `hessian^-1 slope`: conjugate gradients until the squared residual is at most `enough` [1, b, 1]."""
    left, along, step = slope.copy(), slope.copy(), slope.zero()
    square = left.inner(left)
    for _ in range(_MOST_INNER):
        live = square > enough
        if not live.any():
            break
        bent = bend(along.scores)
        numbers = along.numbers + _product(features.T, bent)
        offsets = bent.sum(0, keepdims=True)
        curve = along.weights_inner(along) + sums(along.scores * bent)
        live &= curve > _FLAT * along.inner(along)  # the same offset for every class: rounding, no direction
        share = np.divide(square, curve, out=np.zeros_like(square), where=live)
        step.add(share, along)
        left.add(-share, _Vector(numbers, offsets, _product(features, numbers) + offsets))
        before, square = square, left.inner(left)
        along.turn(np.where(live, square / np.maximum(before, _TINY), np.float32(0)), left)
    return step


def _length(loss: Loss, at: _Vector, slope: _Vector, step: _Vector) -> Block:
    """How far to go along a step, [1, b, 1]: all the way, or half as far while that does not gain enough."""
    gain, here = slope.inner(step), loss.value(at.scores)
    across, square = at.weights_inner(step), step.weights_inner(step)
    length = np.ones_like(gain)
    for _ in range(_HALVINGS):
        there = loss.value(at.scores + length * step.scores) + length * (across + length * square / 2)
        short = there > here - _SUFFICIENT * length * gain + _ROUNDING * np.abs(here)
        if not short.any():
            break
        length = np.where(short, length / 2, length)
    return length


def _product(matrix: Any, block: Block) -> Block:  # noqa: ANN401 - dense, sparse or blocks
    """`matrix @ block`; a single column goes as a vector, which sparse matrices take twice as fast."""
    flat = columns(block)
    found = product(matrix, flat[:, 0])[:, None] if flat.shape[1] == 1 else product(matrix, flat)
    shaped: Block = np.asarray(found, dtype=np.float32).reshape(-1, *block.shape[1:])
    return shaped
