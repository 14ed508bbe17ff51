"""Proportions and their confidence intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from wordworth.measures.bootstrap import Interval
from wordworth.measures.weighted_sums import floats


def wilson(right: int, asked: int, level: float = 0.95) -> Interval:
    """Score interval of a proportion (Wilson 1927; Brown, Cai and DasGupta 2001, equation 4); 0 to 1 if `asked` is 0.

    >>> interval = wilson(81, 263)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.2553, 0.3662)
    """
    if not asked:
        return Interval(0.0, 1.0)
    z = float(ndtri(0.5 + level / 2))
    share, weight = right / asked, 1 + z * z / asked
    middle = share + z * z / (2 * asked)
    half_width = z * np.sqrt(share * (1 - share) / asked + z * z / (4 * asked * asked))
    return Interval(max(0.0, float((middle - half_width) / weight)), min(1.0, float((middle + half_width) / weight)))


def mean_of_shares(right: ArrayLike, asked: ArrayLike, level: float = 0.95) -> tuple[float, Interval]:
    """Mean of the proportions of several groups, and its interval for new items of the same groups.

    The variances of the proportions add up. Each is computed with half an item right and half an item wrong added, so
    that a group without mistakes does not come out as certain.

    Args:
        right: [groups], items answered right.
        asked: [groups], items asked, at least one each.
        level: confidence level.
    """
    hits, items = floats(np.asarray(right, dtype=np.float64)), floats(np.asarray(asked, dtype=np.float64))
    mean, smoothed = float((hits / items).mean()), (hits + 0.5) / (items + 1)
    deviation = float(np.sqrt((smoothed * (1 - smoothed) / items).sum())) / len(items)
    half_width = float(ndtri(0.5 + level / 2)) * deviation
    return mean, Interval(max(0.0, mean - half_width), min(1.0, mean + half_width))
