"""Many L2-regularised linear models at once, by truncated Newton steps on features that they share.

Every model minimises `sum_i weight_i * loss(score_i, gold_i) + |w|^2 / 2` over `score_i = features_i . w + offset`.
The models of a batch (folds x strengths, or one a label) differ by the weights of the items alone, so each step of the
conjugate gradients is one product of the features with a block of directions (Nash 2000; Lin, Weng and Keerthi 2008).
A model's numbers may be its weights, or one number an item where items are fewer than features: then the features enter
through their Gram matrix only, `w = features' a` (the representer theorem; Chapelle 2007).

Axes: `n` items (or `d` numbers), `b` models of the batch, `k` scores that a model gives an item.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.losses import Block, Loss, sums
from wordworth.representations.products import product

_MOST_INNER = 60
_LEFT = 0.3
"""Conjugate gradients stop where the residual is this share of the slope; the next Newton step sees to the rest."""
_HALVINGS = 10
_SUFFICIENT, _ROUNDING = 1e-4, 1e-5
_TINY = np.float32(1e-30)
_FLAT = np.float32(1e-9)


class Space(Protocol):
    """Where a model's numbers live."""

    def scores(self, numbers: Block) -> Block:
        """Scores [n, b, k] of all items, offsets left out."""
        ...

    def pull(self, slopes: Block) -> Block:
        """The slope in the numbers [d, b, k], from slopes in the scores."""
        ...

    def inner(self, one: Block, other: Block, scores: Block) -> Block:
        """Products [1, b, 1] of two sets of weights, the second one's scores given."""
        ...


@dataclass(frozen=True, slots=True)
class Primal:
    """A number a feature: features [n, d], dense or sparse."""

    features: Any

    def scores(self, numbers: Block) -> Block:
        """`features @ numbers`."""
        return _product(self.features, numbers)

    def pull(self, slopes: Block) -> Block:
        """`features.T @ slopes`."""
        return _product(self.features.T, slopes)

    def inner(self, one: Block, other: Block, scores: Block) -> Block:  # noqa: ARG002 - a Space
        """Of the numbers themselves."""
        return sums(one * other)


@dataclass(frozen=True, slots=True)
class Dual:
    """A number an item: the Gram matrix, float32 [n, n]."""

    gram: NDArray[np.float32]

    def scores(self, numbers: Block) -> Block:
        """`gram @ numbers`."""
        return _product(self.gram, numbers)

    def pull(self, slopes: Block) -> Block:
        """The slopes themselves."""
        return slopes

    def inner(self, one: Block, other: Block, scores: Block) -> Block:  # noqa: ARG002 - a Space
        """`one' gram other`."""
        return sums(one * scores)


@dataclass(frozen=True, slots=True)
class Solution:
    """The models found.

    Attributes:
        numbers: [d, b, k], in the space that was given.
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


def solve(space: Space, loss: Loss, precision: Precision, near: Solution | None = None) -> Solution:
    """All models of a batch.

    Models start from weights of zero and offsets that say what is known without reading, or from a solution that is
    near (of another strength). Float32 throughout; the result depends on the arguments alone as long as products of
    matrices do not depend on threads (see `steady`).
    """
    at = _start(space, loss)
    slope = _slope(space, loss, at)
    square = slope.inner(space, slope)
    limit = np.maximum(square * np.float32(precision.tolerance**2), _TINY)
    if near is not None:
        at = _Vector(near.numbers.copy(), near.offsets[None].copy(), near.scores.copy())
        slope = _slope(space, loss, at)
        square = slope.inner(space, slope)
    for _ in range(precision.steps):
        steep = square > limit
        if not steep.any():
            break
        enough = np.where(steep, np.maximum(square * np.float32(_LEFT**2), limit / 4), np.inf)
        step = _newton(space, loss.curvature(at.scores), slope, enough)
        at.add(_length(space, loss, at, slope, step) * steep, step)
        slope = _slope(space, loss, at)
        square = slope.inner(space, slope)
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

    def weights_inner(self, space: Space, other: _Vector) -> Block:
        """Products of the weights, offsets left out."""
        return space.inner(self.numbers, other.numbers, other.scores - other.offsets)

    def inner(self, space: Space, other: _Vector) -> Block:
        """Products [1, b, 1], offsets included."""
        return self.weights_inner(space, other) + sums(self.offsets * other.offsets)


def _start(space: Space, loss: Loss) -> _Vector:
    offsets = loss.prior()
    scores = np.repeat(offsets, loss.items, axis=0)
    return _Vector(np.zeros_like(space.pull(scores)), offsets, scores)


def _slope(space: Space, loss: Loss, at: _Vector) -> _Vector:
    """Minus the gradient at a point, with the scores that it gives as a direction."""
    pushed = loss.slope(at.scores)
    numbers = -(at.numbers + space.pull(pushed))
    offsets = -pushed.sum(0, keepdims=True)
    return _Vector(numbers, offsets, space.scores(numbers) + offsets)


def _newton(space: Space, bend: Callable[[Block], Block], slope: _Vector, enough: Block) -> _Vector:
    """About `hessian^-1 slope`: conjugate gradients until the squared residual is at most `enough` [1, b, 1]."""
    left, along, step = slope.copy(), slope.copy(), slope.zero()
    square = left.inner(space, left)
    for _ in range(_MOST_INNER):
        live = square > enough
        if not live.any():
            break
        bent = bend(along.scores)
        numbers = along.numbers + space.pull(bent)
        offsets = bent.sum(0, keepdims=True)
        curve = along.weights_inner(space, along) + sums(along.scores * bent)
        live &= curve > _FLAT * along.inner(space, along)  # the same offset for every class: rounding, no direction
        share = np.divide(square, curve, out=np.zeros_like(square), where=live)
        step.add(share, along)
        left.add(-share, _Vector(numbers, offsets, space.scores(numbers) + offsets))
        before, square = square, left.inner(space, left)
        along.turn(np.where(live, square / np.maximum(before, _TINY), np.float32(0)), left)
    return step


def _length(space: Space, loss: Loss, at: _Vector, slope: _Vector, step: _Vector) -> Block:
    """How far to go along a step, [1, b, 1]: all the way, or half as far while that does not gain enough."""
    gain, here = slope.inner(space, step), loss.value(at.scores)
    across, square = at.weights_inner(space, step), step.weights_inner(space, step)
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
    flat = block.reshape(len(block), -1)
    found = product(matrix, flat[:, 0])[:, None] if flat.shape[1] == 1 else product(matrix, flat)
    shaped: Block = np.asarray(found, dtype=np.float32).reshape(-1, *block.shape[1:])
    return shaped
