"""The selection protocol of every rung: choices are made by the task's metric inside the training labels.

Labels used for tuning are labels (reference: Arora et al. 2020, section on training size): nothing outside the n
training labels is looked at. The first thousand labels choose, each of them held out once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from wordworth.measures.metrics import metric
from wordworth.representations.heads.head import Target
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Rows

Point = TypeVar("Point")


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """How candidates are compared inside n labels.

    Attributes:
        folds: each is held out once.
        most: so many labels take part at most, the first ones: a choice needs no more, and the winner learns from all.
    """

    folds: int = 3
    most: int = 1024


def folds(target: Target, rng: np.random.Generator, protocol: Protocol) -> Rows:
    """int64 [items]: the fold in which each of the target's items is held out; folds have the same mix of labels.

    Items are sorted by label, ties in random order, and dealt out like cards: rare classes spread over the folds
    without a special case, and a continuous label is stratified by its rank. A single item is all in fold 0.
    """
    order = np.lexsort((rng.random(len(target)), _strata(target)))
    dealt: Rows = np.empty(len(order), dtype=np.int64)
    dealt[order] = np.arange(len(order)) % min(protocol.folds, max(len(order), 1))
    return dealt


def _strata(target: Target) -> np.ndarray:
    """A number an item, alike for items of like labels."""
    if isinstance(target.labels, tuple):
        return np.array([len(np.unique(tags)) for tags in target.labels])
    if target.labels.ndim == 1:
        return target.labels
    rarity = np.argsort(np.argsort(-target.labels.sum(0), kind="stable"), kind="stable") + 1
    rarest: np.ndarray = (target.labels * rarity).max(1, initial=0)
    return rarest  # an item counts under its rarest label


def best(points: Sequence[Point], judge: Callable[[Sequence[Point]], Sequence[float]]) -> Point:
    """The point that is judged best, the first where several are; a single point is not judged at all."""
    if len(points) == 1:
        return points[0]
    scores = judge(points)
    return points[max(range(len(points)), key=scores.__getitem__)]


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
