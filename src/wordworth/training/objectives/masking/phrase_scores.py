"""Score pairs of neighbouring units (words or phrases) by how much more often they occur together than by chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def npmi(joint: Counts, left: Counts, right: Counts, total: int) -> Floats:
    """Return the normalised pointwise mutual information of n pairs, float64 [n], from -1 to 1.

    `ln(p(a, b) / p(a) p(b)) / -ln p(a, b)` (Bouma 2009, equation 7): 0 for independent units, 1 for units that only
    occur together.

    Args:
        joint: int64 [n], occurrences of each pair.
        left: int64 [n], occurrences of each pair's first unit.
        right: int64 [n], occurrences of each pair's second unit.
        total: number of units in the corpus.

    >>> npmi(np.array([5]), np.array([5]), np.array([5]), 100).tolist()
    [1.0]
    """
    together = joint / total
    mutual = np.log(together) - np.log(left / total) - np.log(right / total)
    scores: Floats = np.divide(mutual, -np.log(together), out=np.ones(len(joint)), where=together < 1)
    return scores


def word2phrase(joint: Counts, left: Counts, right: Counts, total: int, discount: int) -> Floats:
    """Return the score of Mikolov et al. 2013 (arXiv 1310.4546, equation 6) of n pairs, float64 [n].

    The score is `(joint - discount) / (left * right) * total`. The factor `total` is not in the article, but in the
    authors' program word2phrase; with it, one threshold suits corpora of any size.

    Args:
        joint: int64 [n], occurrences of each pair.
        left: int64 [n], occurrences of each pair's first unit.
        right: int64 [n], occurrences of each pair's second unit.
        total: number of units in the corpus.
        discount: subtracted from `joint`, so that rare pairs do not score high by chance.

    >>> word2phrase(np.array([15]), np.array([20]), np.array([25]), 1000, discount=5).tolist()
    [20.0]
    """
    scores: Floats = (joint - discount) / (left.astype(np.float64) * right) * total
    return scores
