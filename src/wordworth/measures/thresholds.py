"""One threshold on a score decides yes or no: fitted on some pairs, used on others."""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Flags, Floats, floats


def fit_threshold(scores: Floats, gold: Flags) -> float:
    """The threshold at or above which `yes` is answered that is right most often; the lowest of several.

    It lies in the middle between two neighbouring scores, or outside of all of them.

    Args:
        scores: float64 [n].
        gold: bool [n], whether yes is right.

    Raises:
        ValueError: there is nothing to fit it on.
    """
    if not len(scores):
        raise ValueError("a threshold needs scores")
    values, place = np.unique(scores, return_inverse=True)
    yes = np.bincount(place, gold, len(values))
    no = np.bincount(place, ~gold, len(values))
    right = np.concatenate([[0], np.cumsum(no)]) + np.concatenate([np.cumsum(yes[::-1])[::-1], [0]])
    edges = np.concatenate([[-np.inf], floats((values[1:] + values[:-1]) / 2), [np.inf]])
    return float(edges[int(right.argmax())])
