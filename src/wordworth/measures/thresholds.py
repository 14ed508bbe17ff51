"""Fit the threshold on a score that decides yes or no."""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, floats


def fit_threshold(scores: Floats, gold: Flags) -> float:
    """Fit the threshold at or above which `yes` is answered: the one most often right, the lowest of equals.

    It lies halfway between two neighbouring scores, or is infinite.

    Args:
        scores: float64 [n].
        gold: bool [n], true where yes is right.

    Raises:
        ValueError: there are no scores.
    """
    if not len(scores):
        raise ValueError("a threshold needs scores")
    values, index = np.unique(scores, return_inverse=True)
    yes = np.bincount(index, gold, len(values))
    no = np.bincount(index, ~gold, len(values))
    right = np.concatenate([[0], np.cumsum(no)]) + np.concatenate([np.cumsum(yes[::-1])[::-1], [0]])
    edges = np.concatenate([[-np.inf], floats((values[1:] + values[:-1]) / 2), [np.inf]])
    return float(edges[int(right.argmax())])
