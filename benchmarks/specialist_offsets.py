"""Offsets of classes set on held-out scores, so that F1 (of a class, macro, micro) is best there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.tasks.task import Kind

Floats = NDArray[np.float64]
ROUNDS, STEPS = 3, 60


def offsets_for(metric: str, kind: Kind, classes: Sequence[str], gold: Any, scores: Floats) -> Floats | None:
    """What is added to the scores of each class, [classes]; None where the metric is no F1 that offsets can move."""
    if kind == "multilabel":
        if metric == "micro_f1":
            return np.full(scores.shape[1], threshold(gold.ravel(), scores.ravel()))
        return np.array([threshold(gold[:, k], scores[:, k]) for k in range(scores.shape[1])])
    if metric.startswith("f1:"):
        wanted = list(classes).index(metric.removeprefix("f1:"))
        found = np.zeros(scores.shape[1])
        found[wanted] = threshold(gold == wanted, scores[:, wanted] - np.delete(scores, wanted, 1).max(1))
        return found
    return macro_offsets(gold, scores) if metric == "macro_f1" else None


def threshold(gold: NDArray[np.bool_], scores: Floats) -> float:
    """What is added to the scores so that F1 of those above 0 is best; 0 where nothing is gained."""
    order = np.argsort(-scores, kind="stable")
    hits, given = np.cumsum(gold[order]), np.arange(1, len(gold) + 1)
    f1 = 2 * hits / (given + max(int(gold.sum()), 1))
    ends = np.append(scores[order][:-1] > scores[order][1:], True)
    f1 = np.where(ends, f1, -1.0)
    said = scores > 0
    plain = 2 * (said & gold).sum() / max(said.sum() + gold.sum(), 1)
    best = int(f1.argmax())
    if f1[best] <= plain:
        return 0.0
    low = scores[order[best + 1]] if best + 1 < len(order) else scores[order[best]] - 1.0
    return -float(scores[order[best]] + low) / 2


def macro_offsets(gold: NDArray[np.int64], scores: Floats) -> Floats:
    """One class's offset at a time, several rounds, each the best of a few steps."""
    found = np.zeros(scores.shape[1])
    best = _macro_f1(gold, scores.argmax(1), scores.shape[1])
    for _ in range(ROUNDS):
        before = best
        for k in range(scores.shape[1]):
            others = scores + found
            others[:, k] = -np.inf
            second, turn = others.argmax(1), others.max(1) - scores[:, k]
            for step in np.quantile(turn, np.linspace(0, 1, STEPS)) + 1e-9:
                value = _macro_f1(gold, np.where(step > turn, k, second), scores.shape[1])
                if value > best:
                    best, found[k] = value, step
        if best == before:
            break
    return found


def _macro_f1(gold: NDArray[np.int64], said: NDArray[np.int64], classes: int) -> float:
    hits = np.bincount(gold[gold == said], minlength=classes)
    total = np.bincount(gold, minlength=classes) + np.bincount(said, minlength=classes)
    there = total > 0
    return float((2 * hits[there] / total[there]).mean())
