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

_MAX_CG_STEPS = 60
_FORCING_TERM = 0.3
"""Conjugate gradients stop when the residual is this fraction of the gradient; the next Newton step does the rest."""
_MAX_HALVINGS = 30
"""With many classes and a large C a Newton step overshoots more than a thousandfold; 10 halvings let the loss rise."""
_ARMIJO, _ROUNDING = 1e-4, 1e-5
_TINY = np.float32(1e-30)
_FLAT = np.float32(1e-9)


@dataclass(frozen=True, slots=True)
class Solution:
    """The weights and offsets that minimise the loss of each model.

    Attributes:
        weights: float32 [d, b, k].
        offsets: float32 [b, k].
        scores: float32 [n, b, k] of all items, those of weight 0 included.
        converged: bool [b], whether each model reached the tolerance.
    """

    weights: Block
    offsets: Block
    scores: Block
    converged: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """The stopping rule of the solver.

    Attributes:
        tolerance: the solver stops where the norm of the gradient is this fraction of that at zero weights.
        steps: maximum number of Newton steps.
    """

    tolerance: float = 1e-2
    steps: int = 100


def columns(block: Block) -> Block:
    """Reshape a block [n, b, k] to a matrix [n, b * k], also if n is 0."""
    return block.reshape(len(block), math.prod(block.shape[1:]))


def solve(features: Features, loss: Loss, precision: Precision, warm_start: Solution | None = None) -> Solution:
    """Minimise the loss of all models of a batch, in float32.

    The result depends on the arguments alone as long as matrix products do not depend on threads (see `blas_threads`).

    Args:
        features: [n, d], shared by all models.
        loss: the gold labels and the weights of each model's items.
        precision: the stopping rule.
        warm_start: a solution to start from, such as that for another C; None to start from zero weights and offsets
            of the labels' base rates.
    """
    point = _start(features, loss)
    descent = _descent(features, loss, point)
    squared_norm = descent.inner(descent)
    limit = np.maximum(squared_norm * np.float32(precision.tolerance**2), _TINY)
    if warm_start is not None:
        point = _Vector(warm_start.weights.copy(), warm_start.offsets[None].copy(), warm_start.scores.copy())
        descent = _descent(features, loss, point)
        squared_norm = descent.inner(descent)
    for _ in range(precision.steps):
        active = squared_norm > limit
        if not active.any():
            break
        tolerance = np.where(active, np.maximum(squared_norm * np.float32(_FORCING_TERM**2), limit / 4), np.inf)
        step = _newton_direction(features, loss.hessian(point.scores), descent, tolerance)
        point.add(_step_length(loss, point, descent, step) * active, step)
        descent = _descent(features, loss, point)
        squared_norm = descent.inner(descent)
    return Solution(point.weights, point.offsets[0], point.scores, (squared_norm <= limit)[0, :, 0])


@dataclass(slots=True)
class _Vector:
    """A point or direction for each model: weights [d, b, k], offsets [1, b, k], and their scores [n, b, k]."""

    weights: Block
    offsets: Block
    scores: Block

    def add(self, factor: Block, other: _Vector) -> None:
        """Compute `self += factor * other` in place."""
        self.weights += factor * other.weights
        self.offsets += factor * other.offsets
        self.scores += factor * other.scores

    def scale_and_add(self, factor: Block, other: _Vector) -> None:
        """Compute `self = factor * self + other` in place."""
        self.weights *= factor
        self.offsets *= factor
        self.scores *= factor
        self.weights += other.weights
        self.offsets += other.offsets
        self.scores += other.scores

    def copy(self) -> _Vector:
        return _Vector(self.weights.copy(), self.offsets.copy(), self.scores.copy())

    def zero(self) -> _Vector:
        return _Vector(np.zeros_like(self.weights), np.zeros_like(self.offsets), np.zeros_like(self.scores))

    def weights_inner(self, other: _Vector) -> Block:
        """Return the inner products [1, b, 1] of the weights, without offsets."""
        return sums(self.weights * other.weights)

    def inner(self, other: _Vector) -> Block:
        """Return the inner products [1, b, 1], offsets included."""
        return self.weights_inner(other) + sums(self.offsets * other.offsets)


def _start(features: Features, loss: Loss) -> _Vector:
    offsets = loss.prior()
    scores = np.repeat(offsets, loss.items, axis=0)
    return _Vector(np.zeros((features.shape[1], *scores.shape[1:]), np.float32), offsets, scores)


def _descent(features: Features, loss: Loss, point: _Vector) -> _Vector:
    """Return minus the gradient at a point."""
    score_gradient = loss.gradient(point.scores)
    weights = -(point.weights + _product(features.T, score_gradient))
    offsets = -score_gradient.sum(0, keepdims=True)
    return _Vector(weights, offsets, _product(features, weights) + offsets)


def _newton_direction(
    features: Features, hessian: Callable[[Block], Block], descent: _Vector, tolerance: Block
) -> _Vector:
    """Approximate `hessian^-1 descent` by conjugate gradients, to a squared residual of `tolerance` [1, b, 1]."""
    residual, direction, step = descent.copy(), descent.copy(), descent.zero()
    squared_norm = residual.inner(residual)
    for _ in range(_MAX_CG_STEPS):
        active = squared_norm > tolerance
        if not active.any():
            break
        curved = hessian(direction.scores)
        weights = direction.weights + _product(features.T, curved)
        offsets = curved.sum(0, keepdims=True)
        curve = direction.weights_inner(direction) + sums(direction.scores * curved)
        # A direction without curvature, such as the same offset for every class, comes from rounding alone.
        active &= curve > _FLAT * direction.inner(direction)
        factor = np.divide(squared_norm, curve, out=np.zeros_like(squared_norm), where=active)
        step.add(factor, direction)
        residual.add(-factor, _Vector(weights, offsets, _product(features, weights) + offsets))
        before, squared_norm = squared_norm, residual.inner(residual)
        direction.scale_and_add(np.where(active, squared_norm / np.maximum(before, _TINY), np.float32(0)), residual)
    return step


def _step_length(loss: Loss, point: _Vector, descent: _Vector, step: _Vector) -> Block:
    """Return the step length [1, b, 1] by backtracking from 1 until the loss decreases enough (Armijo's rule)."""
    gain, current = descent.inner(step), loss.value(point.scores)
    across, squared_norm = point.weights_inner(step), step.weights_inner(step)
    length = np.ones_like(gain)
    for _ in range(_MAX_HALVINGS):
        candidate = loss.value(point.scores + length * step.scores) + length * (across + length * squared_norm / 2)
        insufficient = candidate > current - _ARMIJO * length * gain + _ROUNDING * np.abs(current)
        if not insufficient.any():
            break
        length = np.where(insufficient, length / 2, length)
    return length


def _product(matrix: Any, block: Block) -> Block:  # noqa: ANN401 - dense, sparse or blocks
    """Return `matrix @ block`; a single column as a vector, which is twice as fast for sparse matrices."""
    flat = columns(block)
    result = product(matrix, flat[:, 0])[:, None] if flat.shape[1] == 1 else product(matrix, flat)
    shaped: Block = np.asarray(result, dtype=np.float32).reshape(-1, *block.shape[1:])
    return shaped
