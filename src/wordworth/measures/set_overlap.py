"""How far predicted sets agree with true ones, set by set: Jaccard, F1 and average precision.

The agreement of two empty sets is 1, and the agreement of an empty set with a non-empty set is 0.
"""

from __future__ import annotations

import numpy as np

from wordworth.measures.ranking import average_precision
from wordworth.measures.weighted_sums import Flags, Floats, ratio


def jaccard(truth: Flags, predicted: Flags) -> Floats:
    """Return the Jaccard index of each true set and its predicted set, float64 [n] (Jaccard 1912).

    The index is the size of the intersection over the size of the union; 1 for two empty sets.

    Args:
        truth: bool [n, k], which of k things are in each true set.
        predicted: bool [n, k], which of them are in each predicted set.
    """
    return ratio((truth & predicted).sum(1, dtype=np.float64), (truth | predicted).sum(1, dtype=np.float64), 1.0)


def set_f1(truth: Flags, predicted: Flags) -> Floats:
    """Return the F1 of each predicted set, the harmonic mean of its precision and recall, float64 [n].

    With the Jaccard index J it is 2 J / (1 + J).

    Args:
        truth: bool [n, k], which of k things are in each true set.
        predicted: bool [n, k], which of them are in each predicted set.
    """
    both = 2 * (truth & predicted).sum(1, dtype=np.float64)
    return ratio(both, truth.sum(1, dtype=np.float64) + predicted.sum(1, dtype=np.float64), 1.0)


def set_average_precision(truth: Flags, scores: Floats) -> Floats:
    """Return for each true set how well scores rank its members first (average precision), float64 [n].

    The average precision is the area under the curve of precision and recall, without interpolation: NaN for an empty
    true set, 1 for a true set of all k things.

    Args:
        truth: bool [n, k], which of k things are in each true set.
        scores: float64 [n, k], larger is more likely in the set.
    """
    return np.array([1.0 if row.all() else average_precision(row, own) for row, own in zip(truth, scores, strict=True)])


def mean_average_precision(truth: Flags, scores: Floats) -> float:
    """Return the mean over sets of the average precision of their scores; NaN if a true set is empty.

    Args:
        truth: bool [n, k], which of k things are in each true set.
        scores: float64 [n, k], larger is more likely in the set.
    """
    return float(set_average_precision(truth, scores).mean())
