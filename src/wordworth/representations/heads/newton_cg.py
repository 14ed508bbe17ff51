"""Many L2-regularised linear models at once, by truncated Newton steps on shared features.

Every model minimises `sum_i weight_i * loss(score_i, gold_i) + |w|^2 / 2` over `score_i = features_i . w + offset`. The
models of a batch (one per label) differ only in the items' weights, so each step of the conjugate gradients is one
product of the features with a block of directions (Nash 2000; Lin, Weng and Keerthi 2008).

Axes: `n` items, `d` features, `b` models of the batch, `k` scores that a model gives an item.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Features, product
from wordworth.representations.heads.linear_losses import Block, Loss, sums

_MOST_INNER = 60
_LEFT = 0.3
"""Conjugate gradients stop when the residual is this fraction of the gradient; the next Newton step does the rest."""
_HALVINGS = 10
_SUFFICIENT, _ROUNDING = 1e-4, 1e-5
_TINY = np.float32(1e-30)
_FLAT = np.float32(1e-9)


@dataclass(frozen=True, slots=True)
class Solution:
    """The solved models.

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
        tolerance: the norm of the gradient that may be left, as a fraction of that at zero weights.
        steps: most Newton steps.
    """

    tolerance: float = 1e-2
    steps: int = 100


def columns(block: Block) -> Block:
    """Reshape a block [n, b, k] to a matrix [n, b * k], also if n is 0."""
    return block.reshape(len(block), math.prod(block.shape[1:]))


def solve(features: Features, loss: Loss, precision: Precision, near: Solution | None = None) -> Solution:
    """Solve all models of a batch.

    Models start from zero weights and offsets of the labels' base rates, or from a solution that is near (with another
    strength). Float32 throughout; the result depends on the arguments alone as long as matrix products do not depend on
    threads (see `blas_threads`).

    Args:
        features: [n, d], shared by all models.
        loss: the gold answers and weights of each model's items.
        precision: when to stop.
        near: a solution to start from.
    """
    point = _start(features, loss)
    slope = _slope(features, loss, point)
    square = slope.inner(slope)
    limit = np.maximum(square * np.float32(precision.tolerance**2), _TINY)
    if near is not None:
        point = _Vector(near.numbers.copy(), near.offsets[None].copy(), near.scores.copy())
        slope = _slope(features, loss, point)
        square = slope.inner(slope)
    for _ in range(precision.steps):
        steep = square > limit
        if not steep.any():
            break
        enough = np.where(steep, np.maximum(square * np.float32(_LEFT**2), limit / 4), np.inf)
        step = _newton(features, loss.curvature(point.scores), slope, enough)
        point.add(_length(loss, point, slope, step) * steep, step)
        slope = _slope(features, loss, point)
        square = slope.inner(slope)
    return Solution(point.numbers, point.offsets[0], point.scores, (square <= limit)[0, :, 0])


@dataclass(slots=True)
class _Vector:
    """Points or directions, one per model: weights, offsets [1, b, k], and the scores that both give."""

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
        """Return the inner products [1, b, 1] of the weights, without offsets."""
        return sums(self.numbers * other.numbers)

    def inner(self, other: _Vector) -> Block:
        """Return the inner products [1, b, 1], offsets included."""
        return self.weights_inner(other) + sums(self.offsets * other.offsets)


def _start(features: Features, loss: Loss) -> _Vector:
    offsets = loss.prior()
    scores = np.repeat(offsets, loss.items, axis=0)
    return _Vector(np.zeros((features.shape[1], *scores.shape[1:]), np.float32), offsets, scores)


def _slope(features: Features, loss: Loss, point: _Vector) -> _Vector:
    """Return minus the gradient at a point, with the scores that it gives as a direction."""
    score_slopes = loss.slope(point.scores)
    numbers = -(point.numbers + _product(features.T, score_slopes))
    offsets = -score_slopes.sum(0, keepdims=True)
    return _Vector(numbers, offsets, _product(features, numbers) + offsets)


def _newton(features: Features, curvature: Callable[[Block], Block], slope: _Vector, enough: Block) -> _Vector:
    """Approximate `hessian^-1 slope`: conjugate gradients until the squared residual is at most `enough` [1, b, 1]."""
    residual, direction, step = slope.copy(), slope.copy(), slope.zero()
    square = residual.inner(residual)
    for _ in range(_MOST_INNER):
        live = square > enough
        if not live.any():
            break
        curved = curvature(direction.scores)
        numbers = direction.numbers + _product(features.T, curved)
        offsets = curved.sum(0, keepdims=True)
        curve = direction.weights_inner(direction) + sums(direction.scores * curved)
        live &= curve > _FLAT * direction.inner(
            direction
        )  # the same offset for every class is rounding, not a direction
        share = np.divide(square, curve, out=np.zeros_like(square), where=live)
        step.add(share, direction)
        residual.add(-share, _Vector(numbers, offsets, _product(features, numbers) + offsets))
        before, square = square, residual.inner(residual)
        direction.turn(np.where(live, square / np.maximum(before, _TINY), np.float32(0)), residual)
    return step


def _length(loss: Loss, point: _Vector, slope: _Vector, step: _Vector) -> Block:
    """Return the step length, [1, b, 1]: 1, halved while the gain is not sufficient."""
    gain, current = slope.inner(step), loss.value(point.scores)
    across, square = point.weights_inner(step), step.weights_inner(step)
    length = np.ones_like(gain)
    for _ in range(_HALVINGS):
        candidate = loss.value(point.scores + length * step.scores) + length * (across + length * square / 2)
        insufficient = candidate > current - _SUFFICIENT * length * gain + _ROUNDING * np.abs(current)
        if not insufficient.any():
            break
        length = np.where(insufficient, length / 2, length)
    return length


def _product(matrix: Any, block: Block) -> Block:  # noqa: ANN401 - dense, sparse or blocks
    """Return `matrix @ block`; a single column is passed as a vector, which is twice as fast for sparse matrices."""
    flat = columns(block)
    result = product(matrix, flat[:, 0])[:, None] if flat.shape[1] == 1 else product(matrix, flat)
    shaped: Block = np.asarray(result, dtype=np.float32).reshape(-1, *block.shape[1:])
    return shaped
