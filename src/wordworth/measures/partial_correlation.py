"""Partial rank correlations and their bootstrap draws."""

from __future__ import annotations

import numpy as np
from scipy.stats import rankdata

from wordworth.measures.weighted_sums import Floats, floats

_SINGULAR = 1e-10
_STILL = 1e-9
"""A standard deviation below this, of ranks scaled to [-1, 1], is rounding."""


def partial_rank(values: Floats, explanation: Floats, held: Floats, weights: Floats) -> Floats:
    """float64 [draws]: Spearman's correlation of two variables, others held fixed (partial correlation of ranks).

    Computed from the inverse of the correlation matrix of the ranks (Whittaker 1990, section 5.8). A draw reweights
    items; ranks stay those of the whole sample.

    Args:
        values: float64 [n].
        explanation: float64 [n].
        held: float64 [n, k], the variables held fixed; k may be 0. Class indicators are ranked like the rest.
        weights: float64 [draws, n]; a row of ones gives the value itself.

    Returns:
        NaN where a variable does not vary, or the others determine it completely.
    """
    ranks = np.column_stack([rankdata(column) for column in (values, explanation, *held.T)])
    ranks -= ranks.mean(axis=0)
    ranks /= np.abs(ranks).max(axis=0, initial=1.0)
    return floats([_partial(ranks, weight) for weight in weights])


def _partial(ranks: Floats, weight: Floats) -> float:
    share = weight / weight.sum()
    centred = ranks - share @ ranks
    spread = centred.T @ (share[:, None] * centred)
    deviation = np.sqrt(np.maximum(np.diagonal(spread), 0))
    varies = deviation > _STILL
    if not varies[:2].all():
        return float("nan")
    matrix = spread[varies][:, varies] / np.outer(deviation[varies], deviation[varies])
    if np.linalg.eigvalsh(matrix)[0] < _SINGULAR:
        return float("nan")
    inverse = np.linalg.inv(matrix)
    return float(-inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1]))
