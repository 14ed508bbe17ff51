"""Bootstrap of shares whose items come in groups (documents, words) that are drawn together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Floats, floats, ratio

_AT_ONCE = 1 << 21
"""Counts drawn at a time, so that memory does not grow with groups x draws."""


def share_draws(
    above: Floats, below: Floats, groups: NDArray[np.generic], draws: int, rng: np.random.Generator
) -> Floats:
    """float64 [draws, k]: the sum of `above` over the sum of `below` in each resampled set of whole groups.

    Columns share the draws, so that differences of columns are paired.

    Args:
        above: float64 [n, k].
        below: float64 [n].
        groups: [n], the name of each item's group.
        draws: number of resampled sets.
        rng: source of randomness.
    """
    _, member = np.unique(groups, return_inverse=True)
    num_groups = int(member.max()) + 1
    sums = np.stack([np.bincount(member, column, num_groups) for column in (*above.T, below)], axis=1)
    step, parts = max(1, _AT_ONCE // num_groups), list[Floats]()
    for start in range(0, draws, step):
        drawn = item_weights(num_groups, min(step, draws - start), rng) @ sums
        parts.append(ratio(drawn[:, :-1], drawn[:, -1:], otherwise=np.nan))
    return floats(np.concatenate(parts))
