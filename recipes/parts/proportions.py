"""Intervals of proportions, from counts of hits and items."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from wordworth.measures.bootstrap import Interval


def wilson(hits: int, items: int, level: float = 0.95) -> Interval:
    """Return the score interval of a proportion (Wilson 1927; Brown, Cai and DasGupta 2001, equation 4).

    Without items it is 0 to 1.

    >>> interval = wilson(81, 263)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.2553, 0.3662)
    """
    if not items:
        return Interval(0.0, 1.0)
    z = float(ndtri(0.5 + level / 2))
    share, weight = hits / items, 1 + z * z / items
    middle = share + z * z / (2 * items)
    half_width = z * np.sqrt(share * (1 - share) / items + z * z / (4 * items * items))
    return Interval(max(0.0, float((middle - half_width) / weight)), min(1.0, float((middle + half_width) / weight)))


def mean_of_shares(hits: ArrayLike, items: ArrayLike, level: float = 0.95) -> tuple[float, Interval]:
    """Return the mean of the proportions of several groups, and its interval for new items of the same groups.

    The variances of the proportions add up. Each is computed with half a hit and half a miss added, so that a group
    without misses does not come out as certain.

    Args:
        hits: [groups], items that were right.
        items: [groups], all items, at least one each.
        level: confidence level.
    """
    right, total = np.asarray(hits, dtype=np.float64), np.asarray(items, dtype=np.float64)
    mean, smoothed = float((right / total).mean()), (right + 0.5) / (total + 1)
    deviation = float(np.sqrt((smoothed * (1 - smoothed) / total).sum())) / len(total)
    half_width = float(ndtri(0.5 + level / 2)) * deviation
    return mean, Interval(max(0.0, mean - half_width), min(1.0, mean + half_width))
