"""Many L2-regularised linear models at once, by truncated Newton steps on shared features.

Every model minimises `sum_i weight_i * loss(score_i, gold_i) + |w|^2 / 2` over `score_i = features_i . w + offset`. The
models of a batch (one per label) differ only in the items' weights, so each step of the conjugate gradients is one
product of the features with a block of directions (Nash 2000; Lin, Weng and Keerthi 2008).

The minimising weights are a combination of the items' features, `w = features' a` (the representer theorem: Schölkopf,
Herbrich and Smola 2001). If the solver starts at zero weights, every gradient and direction is such a combination too.
Where there are fewer items than features, the solver therefore takes the items' coefficients `a` as its unknowns
instead of `w`: the same steps, where the inner product of weights w with weights u is `a . (scores of u - offset of
u)`. The features are then needed only for the inner products of the items, so that models of different items can be
solved at once from their `Grams`.

Axes: `n` items; `d` features; `b` models of the batch; `k` scores that a model gives an item; `v` unknowns, as many as
features or as items, whichever are fewer.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Blocks, Features, product
from wordworth.representations.heads.linear_losses import Block, Loss, inner_products, sums

_MAX_CG_STEPS = 60
_FORCING_TERM = 0.7
"""Conjugate gradients stop when the residual is this fraction of the gradient; the next Newton step does the rest.

From 0.3 to 0.8 it makes little difference but to many classes on dense features, where 0.7 takes half of the products.
"""
_MAX_HALVINGS = 30
"""With many classes and a large C a Newton step overshoots more than a thousandfold; 10 halvings let the loss rise."""
_ARMIJO, _ROUNDING = 1e-4, 1e-5
_GRADIENT_ROUNDING = np.float32(4e-6)
"""A gradient below this fraction of the items' weights counts as rounding, as it is where features are unrelated to
labels. Steps along it would be long, and would only make meaningless coefficients grow.
"""
_TINY = np.float32(1e-30)
_FLAT = np.float32(1e-9)


@dataclass(frozen=True, slots=True)
class Grams:
    """The inner products of the items' features, for groups of models that each have items of their own.

    Attributes:
        matrices: float32 [groups, n, n]. A group with fewer than n items has zeros at the end, and the loss gives these
            items weight 0. The models of a batch belong to the groups in order, as many to each.
    """

    matrices: NDArray[np.float32]

    def times(self, coefficients: Block) -> Block:
        """Return the scores of the items without offsets, [n, b, k], from the items' coefficients [n, b, k]."""
        groups, items, _ = self.matrices.shape
        by_group = coefficients.reshape(items, groups, -1).transpose(1, 0, 2)
        scores: Block = (self.matrices @ by_group).transpose(1, 0, 2).reshape(coefficients.shape)
        return scores


@dataclass(frozen=True, slots=True)
class Start:
    """A starting point of the solver: the solution of a similar problem on the same items.

    There are n items, d features, b models, and k scores that a model gives an item.

    Attributes:
        scores: float32 [n, b, k], the scores of the items.
        offsets: float32 [b, k].
        variables: float32 [v, b, k], the solver's unknowns: weights (v = d features), or coefficients of items (v = n)
            if there are fewer items than features. None if unknown, as for a solution of other features; the solver
            then computes them from the scores.
    """

    scores: Block
    offsets: Block
    variables: Block | None = None


@dataclass(frozen=True, slots=True)
class Solution:
    """The weights and offsets that minimise the loss of each model.

    There are n items, d features, b models, and k scores that a model gives an item.

    Attributes:
        weights: float32 [d, b, k]; of a solution from `Grams`, which have no features, the same as `variables`.
        offsets: float32 [b, k].
        scores: float32 [n, b, k], of all items, also of items with weight 0.
        variables: float32 [v, b, k], the solver's unknowns: the weights (v = d), or the items' coefficients (v = n).
        converged: bool [b], whether each model reached the tolerance.
    """

    weights: Block
    offsets: Block
    scores: Block
    variables: Block
    converged: NDArray[np.bool_]

    @property
    def start(self) -> Start:
        """The solver's starting point at this solution, for another regularisation strength C on the same features."""
        return Start(self.scores, self.offsets, self.variables)


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """The stopping rule of the solver.

    Attributes:
        tolerance: the solver stops where the norm of the gradient is this fraction of its norm at zero weights.
        steps: maximum number of Newton steps.
    """

    tolerance: float = 1e-2
    steps: int = 100


def columns(block: Block) -> Block:
    """Reshape a block [n, b, k] to a matrix [n, b * k], also if n is 0."""
    return block.reshape(len(block), math.prod(block.shape[1:]))


def solve(features: Features | Grams, loss: Loss, precision: Precision, start: Start | None = None) -> Solution:
    """Minimise the loss of all models of a batch, in float32.

    The result depends on the arguments alone as long as matrix products do not depend on threads (see `blas_threads`).

    Args:
        features: [n, d], shared by all models; or the inner products of each model's own items.
        loss: the gold labels and the weights of each model's items.
        precision: the stopping rule.
        start: the starting point; None starts at zero weights, with offsets that fit the labels' base rates. The
            solution for a smaller C is a good start: a large C then takes a tenth of the steps.
    """
    space = _space(features, loss.items)
    point = _start(space, loss)
    descent = _descent(space, loss, point)
    squared_norm = space.inner(descent, descent)
    rounding = np.square(_GRADIENT_ROUNDING * sums(loss.weights))
    limit = np.maximum(squared_norm * np.float32(precision.tolerance**2), np.maximum(rounding, _TINY))
    if start is not None:
        point = space.near(start, loss)
        descent = _descent(space, loss, point)
        squared_norm = space.inner(descent, descent)
    for _ in range(precision.steps):
        active = squared_norm > limit
        if not active.any():
            break
        tolerance = np.where(active, np.maximum(squared_norm * np.float32(_FORCING_TERM**2), limit / 4), np.inf)
        step = _newton_direction(space, loss.hessian(point.scores), descent, tolerance)
        point.add(_step_length(space, loss, point, descent, step) * active, step)
        descent = _descent(space, loss, point)
        squared_norm = space.inner(descent, descent)
    converged = (squared_norm <= limit)[0, :, 0]
    return Solution(space.weights(point.variables), point.offsets[0], point.scores, point.variables, converged)


@dataclass(slots=True)
class _Vector:
    """A point or direction for each model: variables [v, b, k], offsets [1, b, k], and their scores [n, b, k]."""

    variables: Block
    offsets: Block
    scores: Block

    def add(self, factor: Block, other: _Vector) -> None:
        """Compute `self += factor * other` in place."""
        self.variables += factor * other.variables
        self.offsets += factor * other.offsets
        self.scores += factor * other.scores

    def scale_and_add(self, factor: Block, other: _Vector) -> None:
        """Compute `self = factor * self + other` in place."""
        self.variables *= factor
        self.offsets *= factor
        self.scores *= factor
        self.variables += other.variables
        self.offsets += other.offsets
        self.scores += other.scores

    def copy(self) -> _Vector:
        return _Vector(self.variables.copy(), self.offsets.copy(), self.scores.copy())

    def zero(self) -> _Vector:
        return _Vector(np.zeros_like(self.variables), np.zeros_like(self.offsets), np.zeros_like(self.scores))


class _Space(ABC):
    """The meaning of the solver's unknowns: weights of features, or coefficients of items."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of variables, v."""

    @abstractmethod
    def combination(self, coefficients: Block) -> Block:
        """Return `features' coefficients` in these variables, [v, b, k] from [n, b, k]."""

    @abstractmethod
    def weights(self, variables: Block) -> Block:
        """Return the weights [d, b, k] that the variables stand for."""

    @abstractmethod
    def weights_inner(self, first: _Vector, second: _Vector) -> Block:
        """Return the inner product of two vectors' weights for each model, [1, b, 1], without offsets."""

    def inner(self, first: _Vector, second: _Vector) -> Block:
        """Return the inner product of two vectors for each model, [1, b, 1], offsets included."""
        return self.weights_inner(first, second) + inner_products(first.offsets, second.offsets)

    @abstractmethod
    def scores(self, variables: Block) -> Block:
        """Return the items' scores, [n, b, k], without offsets, from variables [v, b, k]."""

    def near(self, start: Start, loss: Loss) -> _Vector:
        """Return the point at which the solver starts; variables that `start` lacks are computed from its scores."""
        offsets = start.offsets[None].copy()
        if start.variables is not None:
            return _Vector(start.variables.copy(), offsets, start.scores.copy())
        return self.vector(self.combination(-loss.gradient(start.scores)), offsets)

    def vector(self, variables: Block, offsets: Block) -> _Vector:
        """Return the vector of variables [v, b, k] and offsets [1, b, k], with the scores that these give."""
        scores = self.scores(variables)
        scores += offsets
        return _Vector(variables, offsets, scores)


class _Weights(_Space):
    """The weights themselves: one variable for each feature."""

    def __init__(self, features: Features) -> None:
        self.features = features

    @property
    def size(self) -> int:
        return int(self.features.shape[1])

    def combination(self, coefficients: Block) -> Block:
        return _product(self.features.T, coefficients)

    def weights(self, variables: Block) -> Block:
        return variables

    def scores(self, variables: Block) -> Block:
        return _product(self.features, variables)

    def weights_inner(self, first: _Vector, second: _Vector) -> Block:
        return inner_products(first.variables, second.variables)


class _Coefficients(_Space):
    """The items' coefficients: one variable for each item, `weights = features' coefficients`."""

    def combination(self, coefficients: Block) -> Block:
        return coefficients

    def weights_inner(self, first: _Vector, second: _Vector) -> Block:
        return inner_products(first.variables, second.scores - second.offsets)


class _CoefficientsOfFeatures(_Coefficients):
    """The coefficients of items whose features are known."""

    def __init__(self, features: Features) -> None:
        self.features = features

    @property
    def size(self) -> int:
        return int(self.features.shape[0])

    def weights(self, variables: Block) -> Block:
        return _product(self.features.T, variables)

    def scores(self, variables: Block) -> Block:
        return _shaped(Blocks.of(self.features).gram_times(_flat(variables)), variables)


class _CoefficientsOfGroups(_Coefficients):
    """The coefficients where each group of models has items of its own, of which only `Grams` are known."""

    def __init__(self, grams: Grams) -> None:
        self.grams = grams

    @property
    def size(self) -> int:
        return int(self.grams.matrices.shape[1])

    def weights(self, variables: Block) -> Block:
        return variables

    def scores(self, variables: Block) -> Block:
        return self.grams.times(variables)


def _space(features: Features | Grams, items: int) -> _Space:
    if isinstance(features, Grams):
        return _CoefficientsOfGroups(features)
    return _CoefficientsOfFeatures(features) if items < features.shape[1] else _Weights(features)


def _start(space: _Space, loss: Loss) -> _Vector:
    offsets = loss.prior()
    scores = np.repeat(offsets, loss.items, axis=0)
    return _Vector(np.zeros((space.size, *scores.shape[1:]), np.float32), offsets, scores)


def _descent(space: _Space, loss: Loss, point: _Vector) -> _Vector:
    """Return minus the gradient at a point."""
    score_gradient = loss.gradient(point.scores)
    variables = -(point.variables + space.combination(score_gradient))
    return space.vector(variables, -score_gradient.sum(0, keepdims=True))


def _newton_direction(space: _Space, hessian: Callable[[Block], Block], descent: _Vector, tolerance: Block) -> _Vector:
    """Approximate `hessian^-1 descent` by conjugate gradients, to a squared residual of `tolerance` [1, b, 1]."""
    residual, direction, step = descent.copy(), descent.copy(), descent.zero()
    squared_norm = space.inner(residual, residual)
    for _ in range(_MAX_CG_STEPS):
        active = squared_norm > tolerance
        if not active.any():
            break
        curved = hessian(direction.scores)
        curve = space.weights_inner(direction, direction) + inner_products(direction.scores, curved)
        # A direction without curvature, such as the same offset for every class, comes from rounding alone.
        active &= curve > _FLAT * space.inner(direction, direction)
        factor = np.divide(squared_norm, curve, out=np.zeros_like(squared_norm), where=active)
        step.add(factor, direction)
        variables = direction.variables + space.combination(curved)
        residual.add(-factor, space.vector(variables, curved.sum(0, keepdims=True)))
        before, squared_norm = squared_norm, space.inner(residual, residual)
        direction.scale_and_add(np.where(active, squared_norm / np.maximum(before, _TINY), np.float32(0)), residual)
    return step


def _step_length(space: _Space, loss: Loss, point: _Vector, descent: _Vector, step: _Vector) -> Block:
    """Return the step length [1, b, 1] by backtracking from 1 until the loss decreases enough (Armijo's rule)."""
    gain, current = space.inner(descent, step), loss.value(point.scores)
    across, squared_norm = space.weights_inner(point, step), space.weights_inner(step, step)
    length = np.ones_like(gain)
    for _ in range(_MAX_HALVINGS):
        candidate = loss.value(point.scores + length * step.scores) + length * (across + length * squared_norm / 2)
        insufficient = candidate > current - _ARMIJO * length * gain + _ROUNDING * np.abs(current)
        if not insufficient.any():
            break
        length = np.where(insufficient, length / 2, length)
    return length


def _product(matrix: Any, block: Block) -> Block:  # noqa: ANN401 - dense, sparse or blocks
    """Return `matrix @ block`, [m, b, k] from [m, n] and [n, b, k]."""
    return _shaped(product(matrix, _flat(block)), block)


def _flat(block: Block) -> Block:
    """Return a block as a matrix; a single column as a vector, which is twice as fast for sparse matrices."""
    flat = columns(block)
    return flat[:, 0] if flat.shape[1] == 1 else flat


def _shaped(values: NDArray[np.float32], block: Block) -> Block:
    """Return a product with `_flat(block)` in the block's shape."""
    return np.asarray(values, dtype=np.float32).reshape(-1, *block.shape[1:])
