"""Bootstrap draws of means over words or sentences, undefined values left out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Floats, floats, ratio

_AT_ONCE = 1 << 21
"""Counts drawn at a time, so that memory does not grow with items x draws."""


def mean_draws(values: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """float64 [draws, k]: the mean of each column over resampled items.

    Args:
        values: float64 [items, k]; NaN where an item has no value.
        draws: number of resampled sets; columns share them, so that differences of columns are paired.
        rng: source of randomness.
    """
    known = np.isfinite(values)
    filled = np.where(known, values, 0.0)
    step = max(1, _AT_ONCE // max(1, len(values)))
    parts = []
    for start in range(0, draws, step):
        weights = item_weights(len(values), min(step, draws - start), rng)
        parts.append(ratio(weights @ filled, weights @ known, otherwise=np.nan))
    return floats(np.concatenate(parts))


def left_out_groups(
    measure: Callable[[NDArray[np.floating]], float], rows: NDArray[np.floating], group: NDArray[np.integer]
) -> float:
    """Standard error of a measure of rows, by leaving out one group of rows at a time (delete-a-group jackknife).

    For measures that repeated rows, as in a bootstrap, would bias.

    Args:
        measure: takes rows [n, d].
        rows: [n, d].
        group: int [n], the group of each row, numbered from 0; groups of about equal size, drawn at random.
    """
    groups = int(group.max()) + 1
    without = floats([measure(rows[group != left_out]) for left_out in range(groups)])
    return float(np.sqrt((groups - 1) / groups * ((without - without.mean()) ** 2).sum()))
