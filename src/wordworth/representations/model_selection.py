"""How every choice inside the training labels is scored: by the task's metric.

Labels used for tuning count as labels (Arora et al. 2020, on training size): nothing outside the n training labels is
read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.base import Target
from wordworth.representations.rung import Predictions
from wordworth.tasks.selection_score import selection_score

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
    return selection_score(target, target.labels, predictions)
