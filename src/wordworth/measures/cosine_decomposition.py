"""The cosine of two vectors that are sums, as a sum over pairs of their terms."""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers, floats


def cosine_parts(first: Floats, second: Floats) -> Floats:
    """Return the part that each pair of vectors adds to the cosine of two sums of vectors, float64 [n, m].

    With a = sum of a_i and b = sum of b_j, cos(a, b) = sum over i, j of (a_i . b_j) / (|a| |b|).

    >>> float(cosine_parts(np.eye(2), np.array([[1.0, 0.0]])).sum().round(3))
    0.707

    Args:
        first: float64 [n, width], the vectors whose sum is the first vector.
        second: float64 [m, width], the vectors whose sum is the second vector.

    Returns:
        The parts, which add up to the cosine; NaN if one of the sums is zero.
    """
    lengths = float(np.linalg.norm(first.sum(0)) * np.linalg.norm(second.sum(0)))
    if lengths == 0:
        return np.full((len(first), len(second)), np.nan)
    return floats(first @ second.T) / lengths


def grouped_rows(rows: Floats, groups: Integers, number: int) -> Floats:
    """Return the sum of the rows of each group.

    Args:
        rows: float64 [n, width].
        groups: int64 [n], the group of each row, 0 to `number` - 1.
        number: number of groups.

    Returns:
        float64 [number, width].
    """
    sums = np.zeros((number, rows.shape[1]))
    np.add.at(sums, groups, rows)
    return sums
