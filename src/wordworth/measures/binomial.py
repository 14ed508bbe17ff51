"""Shares of right items by the binomial distribution: exact intervals, tests beside guessing and another system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, betaincinv, gammaln, xlog1py, xlogy

from wordworth.measures.bootstrap import Interval


def exact_interval(seen: float, trials: float, level: float = 0.95) -> Interval:
    """Return the interval of Clopper and Pearson (1934) of a probability, which holds it at least so often.

    Where nothing was seen, it still reaches up to 1 - ((1 - level) / 2)^(1 / trials).

    Args:
        seen: how often it happened, from 0 to `trials`.
        trials: independent trials, above 0; a fraction where dependent ones count as fewer.
        level: two-sided level.
    """
    tail = (1 - level) / 2
    low = float(betaincinv(seen, trials - seen + 1, tail)) if seen else 0.0
    high = float(betaincinv(seen + 1, trials - seen, 1 - tail)) if seen < trials else 1.0
    return Interval(low, high)


@dataclass(frozen=True, slots=True)
class PairedShares:
    """The shares of the same items that two systems have right, compared by the items that only one of them has.

    Attributes:
        value: the share of the first less that of the second.
        interval: exact for the items on which they differ, whose number is taken as given: the interval of Clopper and
            Pearson for how often the first is the right one, moved to the scale of the difference.
        p_value: of McNemar's exact test, two-sided (McNemar 1947).
    """

    value: float
    interval: Interval
    p_value: float


def paired_shares(only_first: int, only_second: int, items: int, level: float = 0.95) -> PairedShares:
    """Compare two systems on the same items.

    Args:
        only_first: items that the first alone has right.
        only_second: items that the second alone has right.
        items: all items, 1 or more.
        level: two-sided level of the interval.
    """
    differing = only_first + only_second
    if not differing:
        return PairedShares(0.0, Interval(0.0, 0.0), 1.0)
    first, scale = exact_interval(only_first, differing, level), differing / items
    ends = Interval((2 * first.low - 1) * scale, (2 * first.high - 1) * scale)
    return PairedShares((only_first - only_second) / items, ends, sign_test(only_first, differing))


def sign_test(wins: int, trials: int) -> float:
    """Return the exact two-sided p-value of a fair coin; 1 without trials.

    Args:
        wins: how often the first of two was better.
        trials: independent trials, without ties.
    """
    return min(1.0, 2 * float(bdtr(min(wins, trials - wins), trials, 0.5))) if trials else 1.0


def guessing_tail(right: int, chances: Sequence[float]) -> float:
    """Return the probability that guessing has at least so many items right.

    Args:
        right: number of items.
        chances: of each item, the probability that a guess is right; items with equal ones are taken together.
    """
    probabilities = np.ones(1)
    for chance, number in zip(*np.unique(np.asarray(chances, float), return_counts=True), strict=True):
        each = np.arange(number + 1)
        log_choices = gammaln(number + 1) - gammaln(each + 1) - gammaln(number - each + 1)
        logs = log_choices + xlogy(each, chance) + xlog1py(number - each, -chance)
        probabilities = np.convolve(probabilities, np.exp(logs))
    return min(1.0, float(probabilities[right:].sum()))


def least_above_guessing(chances: Sequence[float], level: float = 0.05) -> int:
    """Return the fewest right items that guessing reaches with at most this probability; one more than all if none."""
    low, high = 0, len(chances) + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if guessing_tail(middle, chances) <= level else (middle + 1, high)
    return low


def detectable_share(least: int, items: int, power: float = 0.8) -> float:
    """Return the share of right items that a system needs in the long run to reach `least` of `items` this often.

    Args:
        least: as `least_above_guessing` returns it.
        items: number of items.
        power: how often it is to be reached; NaN is returned where even all items would not do.
    """
    return float(betaincinv(least, items - least + 1, power)) if 0 < least <= items else float("nan")


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm 1979): no larger than Bonferroni's, for any dependence.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(order), 0, -1)
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(1, np.maximum.accumulate(np.asarray(p_values, float)[order] * factors))
    return [float(each) for each in corrected]
