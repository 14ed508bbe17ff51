"""Failed runs: the predictions do not depend on the input (Mosbach et al. 2021, section 4)."""

from __future__ import annotations

import numpy as np

from wordworth.tasks.task import Kind, Labels
from wordworth.training.task_heads.base import TaskPredictions

_STILL = 0.05
"""Values with less than this fraction of the true deviation count as constant."""


def is_degenerate(kind: Kind, gold: Labels, said: TaskPredictions) -> bool:
    """Whether predictions are all the same (or nearly, for values) though the labels differ."""
    if kind == "span":
        return _constant(np.array(said)) and not _constant(np.array([len(answers) > 0 for answers in gold]))
    if kind == "choice":
        assert not isinstance(said, tuple)  # noqa: S101 - by the contract of the kind
        return _by_chance(np.asarray(gold), np.ma.masked_invalid(said))
    if isinstance(said, tuple) or isinstance(gold, tuple):
        return _constant(_flat(said)) and not _constant(_flat(gold))
    if kind == "regression":
        return bool(said.std() < _STILL * gold.std())
    if kind == "multilabel":
        return bool((said > 0).std(0).max(initial=0) == 0 and gold.std(0).max(initial=0) > 0)
    return _constant(said.argmax(1)) and not _constant(gold)


def _by_chance(gold: np.ndarray, scores: np.ma.MaskedArray) -> bool:
    """Whether options hardly differ in score, and accuracy is at most two standard deviations above chance.

    Scores have no scale of their own: those of a model that has learned may lie as near to each other.
    """
    if scores.std(1).max() >= _STILL:
        return False
    chance = float((1 / scores.count(1)).mean())
    hits = float((scores.argmax(1) == gold).mean())
    return bool(hits <= chance + 2 * np.sqrt(chance * (1 - chance) / len(gold)))


def _flat(tags: object) -> np.ndarray:
    return np.concatenate([*tags, np.zeros(0)])  # type: ignore[misc]  # arrays of tags, as the kind says


def _constant(values: np.ndarray) -> bool:
    return len(np.unique(values)) <= 1
