"""Two rankings made one: by reciprocal ranks (Cormack, Clarke and Büttcher 2009), with a weight for the first."""

from __future__ import annotations

import numpy as np

from wordworth.retrieval.scan import Nearest

CONSTANT = 60
"""The constant of the paper: by how much the first ranks are alike."""
DEPTH = 100
"""Rows of each ranking that are joined, or as many as there are results."""


def fused(dense: Nearest, words: Nearest, k: int, weight: float = 0.5) -> Nearest:
    """Return the rows with the largest sums of reciprocal ranks, weight / (60 + rank) + (1 - weight) / (60 + rank).

    Args:
        dense: rows by their vectors, the best first.
        words: rows by their words, the best first.
        k: most rows.
        weight: of the ranks by vectors, from 0 to 1; those by words have the rest.

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
