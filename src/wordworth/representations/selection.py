"""The selection protocol of every rung: choices are made by the task's metric inside the training labels.

Labels used for tuning are labels (reference: Arora et al. 2020, section on training size): nothing outside the n
training labels is looked at. Few labels are used three times over, many are held out once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from wordworth.measures.metrics import metric
from wordworth.representations.heads.head import Target
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Rows

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_ROUNDS = 2

Point = TypeVar("Point", bound="DataclassInstance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How candidates are compared inside n labels.

    Attributes:
        folds: up to `few` labels, that many folds, each held out once.
        few: above it, one part in `parts` is held out, once.
        most: at most so many labels take part; a choice needs no more, and the winner learns from all n.
    """

    folds: int = 3
    few: int = 500
    parts: int = 4
    most: int = 2500


class Split(NamedTuple):
    """Items to learn from and items to judge on."""

    fit: Rows
    held: Rows


def splits(target: Target, rng: np.random.Generator, protocol: Protocol) -> list[Split]:
    """Disjoint parts of the target's items, each with the same mix of labels as far as counts allow.

    Items are sorted by label, ties in random order, and dealt out like cards: rare classes spread over the parts
    without a special case, and a continuous label is stratified by its rank.
    """
    order = np.lexsort((rng.random(len(target)), _strata(target)))
    if len(order) > protocol.most:
        order = order[np.linspace(0, len(order) - 1, protocol.most).astype(np.int64)]
    few = len(order) <= protocol.few
    parts = min(protocol.folds if few else protocol.parts, len(order))
    dealt = np.arange(len(order)) % max(parts, 1)
    rounds = parts if few else 1
    return [
        Split(np.sort(order[dealt != part]), np.sort(order[dealt == part]))
        for part in range(rounds if parts > 1 else 0)
    ]


def _strata(target: Target) -> np.ndarray:
    """A number an item, alike for items of like labels."""
    if isinstance(target.labels, tuple):
        return np.array([len(np.unique(tags)) for tags in target.labels])
    if target.labels.ndim == 1:
        return target.labels
    rarity = np.argsort(np.argsort(-target.labels.sum(0), kind="stable"), kind="stable") + 1
    rarest: np.ndarray = (target.labels * rarity).max(1, initial=0)
    return rarest  # an item counts under its rarest label


def search(axes: Mapping[str, Sequence[object]], start: Point, judge: Callable[[Point], float]) -> Point:
    """The best point found by trying each axis (a field of `start`) in turn, the others held; a tie keeps what stands.

    Axes are gone through again while that moves the point, `_ROUNDS` times at most. It costs about the sum of the axes'
    lengths where a full grid costs their product.
    """
    known: dict[Point, float] = {}

    def judged(point: Point) -> float:
        if point not in known:
            known[point] = judge(point)
        return known[point]

    best = start
    for _ in range(_ROUNDS):
        before = best
        for name, values in axes.items():
            others = [replace(best, **{name: value}) for value in values if value != getattr(best, name)]
            best = max([best, *others], key=judged) if others else best
        if best == before:
            break
    return best


def score(target: Target, predictions: Predictions) -> float:
    """The task's metric, or accuracy (minus squared error for numbers) where the metric is undefined on these items."""
    value = float(metric(target.metric, target.classes).score(target.labels, predictions))
    return value if np.isfinite(value) else _fallback(target, predictions)


def _fallback(target: Target, predictions: Predictions) -> float:
    if isinstance(target.labels, tuple):
        return float(np.mean(np.concatenate(target.labels) == np.concatenate(predictions)))
    assert not isinstance(predictions, tuple)  # noqa: S101 - by the contract of Predictions
    if target.kind == "regression":
        return -float(np.mean((target.labels - predictions) ** 2))
    if target.kind == "multilabel":
        return float(np.mean((predictions > 0) == target.labels))
    return float(np.mean(predictions.argmax(1) == target.labels))


def together(parts: Sequence[Predictions]) -> Predictions:
    """Predictions of several parts end to end."""
    if isinstance(parts[0], tuple):
        return tuple(tags for part in parts for tags in part)
    return np.concatenate([part for part in parts if not isinstance(part, tuple)])
