"""Shares of a count and their intervals."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from wordworth.measures.bootstrap import Interval
from wordworth.measures.weighted_sums import floats


def wilson(right: int, asked: int, level: float = 0.95) -> Interval:
    """The score interval of a share (Wilson 1927; Brown, Cai and DasGupta 2001, equation 4); 0 to 1 of nothing.

    >>> found = wilson(81, 263)
    >>> round(found.low, 4), round(found.high, 4)
    (0.2553, 0.3662)
    """
    if not asked:
        return Interval(0.0, 1.0)
    z = float(ndtri(0.5 + level / 2))
    share, weight = right / asked, 1 + z * z / asked
    middle = share + z * z / (2 * asked)
    reach = z * np.sqrt(share * (1 - share) / asked + z * z / (4 * asked * asked))
    return Interval(max(0.0, float((middle - reach) / weight)), min(1.0, float((middle + reach) / weight)))


def mean_of_shares(right: ArrayLike, asked: ArrayLike, level: float = 0.95) -> tuple[float, Interval]:
    """The mean of some groups' shares, each of its own items, and an interval for new items of the same groups.

    The variances of the shares add up; each is taken with half an item right and half an item wrong more than were
    seen, so that a group without mistakes does not claim to be certain.

    Args:
        right: [groups], items answered right.
        asked: [groups], items asked, at least one each.
        level: of the interval.
    """
    hits, items = floats(np.asarray(right, dtype=np.float64)), floats(np.asarray(asked, dtype=np.float64))
    mean, cautious = float((hits / items).mean()), (hits + 0.5) / (items + 1)
    spread = float(np.sqrt((cautious * (1 - cautious) / items).sum())) / len(items)
    reach = float(ndtri(0.5 + level / 2)) * spread
    return mean, Interval(max(0.0, mean - reach), min(1.0, mean + reach))
