"""Reciprocal rank fusion of two rankings (Cormack, Clarke and Büttcher 2009), with a weight for the first ranking."""

from __future__ import annotations

import numpy as np

from wordworth.retrieval.exact_search import Nearest

CONSTANT = 60
"""The constant k of Cormack et al. (2009): the larger it is, the less the first ranks stand out."""
DEPTH = 100
"""Least number of rows of each ranking that are fused; more if more results are wanted."""


def fused(dense: Nearest, words: Nearest, k: int, weight: float = 0.5) -> Nearest:
    """Fuse two rankings of rows into a single ranking, by weighted sums of reciprocal ranks.

    The score of a row is weight / (60 + r) + (1 - weight) / (60 + s), where r and s are its ranks from 1 by vectors and
    by words. If a row is missing in a ranking, its summand for that ranking is 0.

    Args:
        dense: the ranking by vectors, the best row first.
        words: the ranking by words, the best row first.
        k: largest number of rows to return.
        weight: weight of the ranking by vectors, from 0 to 1; the ranking by words has the rest.

    Returns:
        The rows with the largest scores, the best first, and their scores.

    >>> fused(Nearest(np.array([7, 8]), np.ones(2)), Nearest(np.array([8, 9]), np.ones(2)), 2).rows.tolist()
    [8, 7]
    """
    rows, position = np.unique(np.concatenate([dense.rows, words.rows]), return_inverse=True)
    sums = np.zeros(len(rows))
    for ranked, part, each in (
        (dense, position[: len(dense.rows)], weight),
        (words, position[len(dense.rows) :], 1 - weight),
    ):
        sums[part] += each / (CONSTANT + np.arange(1, len(ranked.rows) + 1))
    order = np.argsort(-sums, kind="stable")[:k]
    return Nearest(rows[order], sums[order])
