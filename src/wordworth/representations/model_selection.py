"""How every choice inside the training labels is scored: by the task's metric.

Labels used for tuning count as labels (Arora et al. 2020, on training size): nothing outside the n training labels is
read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.metrics import metric
from wordworth.representations.heads.base import Target
from wordworth.representations.rung import Predictions

Point = TypeVar("Point")


def best(points: Sequence[Point], judge: Callable[[Sequence[Point]], Sequence[float]]) -> Point:
    """Return the point with the highest score, the first of equals; a single point is returned without judging it."""
    if len(points) == 1:
        return points[0]
    scores = judge(points)
    return points[max(range(len(points)), key=scores.__getitem__)]


def evened(scores: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    """Smooth scores along an axis: half of each score plus a quarter of each neighbour's.

    Neighbouring settings are nearly the same model, and the best of many noisy scores is often the luckiest.
    """
    along = np.moveaxis(scores, axis, 0)
    lower, higher = np.concatenate([along[:1], along[:-1]]), np.concatenate([along[1:], along[-1:]])
    return np.moveaxis(lower / 4 + along / 2 + higher / 4, 0, axis)


def score(target: Target, predictions: Predictions) -> float:
    """Return the task's metric; if undefined on these items, accuracy (for regression minus squared error)."""
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
