"""Choose offsets of the classes' scores that maximise an F1 (of a class, macro or micro) on held-out rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.tasks.task import Kind

Floats = NDArray[np.float64]
ROUNDS, STEPS = 3, 60


def offsets_for(metric: str, kind: Kind, classes: Sequence[str], gold: Any, scores: Floats) -> Floats | None:
    """Return the offset of each class's scores, float64 [classes]; None if the metric is no F1 that offsets can move.

    Args:
        metric: the task's metric.
        kind: the task's kind.
        classes: the names of the classes.
        gold: the labels of the held-out rows.
        scores: float64 [rows, classes].
    """
    if kind == "multilabel":
        if metric == "micro_f1":
            return np.full(scores.shape[1], threshold(gold.ravel(), scores.ravel()))
        return np.array([threshold(gold[:, k], scores[:, k]) for k in range(scores.shape[1])])
    if metric.startswith("f1:"):
        wanted = list(classes).index(metric.removeprefix("f1:"))
        offsets = np.zeros(scores.shape[1])
        offsets[wanted] = threshold(gold == wanted, scores[:, wanted] - np.delete(scores, wanted, 1).max(1))
        return offsets
    return macro_offsets(gold, scores) if metric == "macro_f1" else None


def threshold(gold: NDArray[np.bool_], scores: Floats) -> float:
    """Return the offset under which the F1 of scores above 0 is best; 0 if nothing is gained."""
    order = np.argsort(-scores, kind="stable")
    hits, counts = np.cumsum(gold[order]), np.arange(1, len(gold) + 1)
    f1 = 2 * hits / (counts + max(int(gold.sum()), 1))
    ends = np.append(scores[order][:-1] > scores[order][1:], True)
    f1 = np.where(ends, f1, -1.0)
    predicted = scores > 0
    plain = 2 * (predicted & gold).sum() / max(predicted.sum() + gold.sum(), 1)
    best = int(f1.argmax())
    if f1[best] <= plain:
        return 0.0
    low = scores[order[best + 1]] if best + 1 < len(order) else scores[order[best]] - 1.0
    return -float(scores[order[best]] + low) / 2


def macro_offsets(gold: NDArray[np.int64], scores: Floats) -> Floats:
    """Return offsets [classes] that raise macro F1: one class at a time, several rounds, the best of a few steps."""
    offsets = np.zeros(scores.shape[1])
    best = _macro_f1(gold, scores.argmax(1), scores.shape[1])
    for _ in range(ROUNDS):
        before = best
        for k in range(scores.shape[1]):
            others = scores + offsets
            others[:, k] = -np.inf
            second, turn = others.argmax(1), others.max(1) - scores[:, k]
            for step in np.quantile(turn, np.linspace(0, 1, STEPS)) + 1e-9:
                value = _macro_f1(gold, np.where(step > turn, k, second), scores.shape[1])
                if value > best:
                    best, offsets[k] = value, step
        if best == before:
            break
    return offsets


def _macro_f1(gold: NDArray[np.int64], predicted: NDArray[np.int64], classes: int) -> float:
    hits = np.bincount(gold[gold == predicted], minlength=classes)
    total = np.bincount(gold, minlength=classes) + np.bincount(predicted, minlength=classes)
    there = total > 0
    return float((2 * hits[there] / total[there]).mean())
