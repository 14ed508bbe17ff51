"""Exact binomial statistics of how many items are right: intervals, tests against guessing and against a rival."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import bdtr, betaincinv, gammaln, xlog1py, xlogy

from wordworth.measures.bootstrap import Interval


def exact_interval(seen: float, trials: float, level: float = 0.95) -> Interval:
    """Return the exact interval of a probability (Clopper and Pearson 1934), whose coverage is at least `level`.

    With 0 successes the upper end is 1 - ((1 - level) / 2)^(1 / trials).

    Args:
        seen: number of successes, from 0 to `trials`.
        trials: number of independent trials, above 0; a fraction where dependent trials count as fewer.
        level: the confidence level, two-sided.
    """
    tail = (1 - level) / 2
    low = float(betaincinv(seen, trials - seen + 1, tail)) if seen else 0.0
    high = float(betaincinv(seen + 1, trials - seen, 1 - tail)) if seen < trials else 1.0
    return Interval(low, high)


@dataclass(frozen=True, slots=True)
class PairedShares:
    """The difference between two systems' shares of right items, measured on the same items.

    Attributes:
        value: the first system's share of right items minus the second's.
        interval: the interval of `value`, which excludes 0 exactly where McNemar's test rejects. Two Clopper-Pearson
            intervals are computed: of the share of items on which exactly one system is right (the items that differ),
            and of the share p of differing items on which the first system is right. For each end of the interval of p,
            2 p - 1 is multiplied by the end of the other interval that makes the interval of `value` wider. So the
            coverage is at least about the level also where few items differ, or none.
        p_value: two-sided p-value of McNemar's exact test (McNemar 1947).
    """

    value: float
    interval: Interval
    p_value: float


def paired_shares(only_first: int, only_second: int, items: int) -> PairedShares:
    """Compare the shares of right items of two systems that answered the same items.

    Args:
        only_first: number of items that only the first system has right.
        only_second: number of items that only the second system has right.
        items: number of all items, 1 or more.
    """
    differing = only_first + only_second
    first = exact_interval(only_first, differing) if differing else Interval(0.0, 1.0)
    share = exact_interval(differing, items)
    low, high = 2 * first.low - 1, 2 * first.high - 1
    ends = Interval(low * (share.high if low < 0 else share.low), high * (share.high if high > 0 else share.low))
    p_value = sign_test(only_first, differing) if differing else 1.0
    return PairedShares((only_first - only_second) / items, ends, p_value)


def sign_test(wins: int, trials: int) -> float:
    """Return the exact two-sided p-value of the sign test, whose hypothesis is that wins are as likely as losses.

    The p-value is 1 without trials.

    Args:
        wins: number of trials in which the first of two systems was better.
        trials: number of independent trials, without ties.
    """
    return min(1.0, 2 * float(bdtr(min(wins, trials - wins), trials, 0.5))) if trials else 1.0


def guessing_tail(right: int, chances: Sequence[float]) -> float:
    """Return the probability that guessing has at least `right` items right.

    Args:
        right: number of right items.
        chances: for each item, the probability that a guess is right.
    """
    probabilities = np.ones(1)
    for chance, number in zip(*np.unique(np.asarray(chances, float), return_counts=True), strict=True):
        each = np.arange(number + 1)
        log_choices = gammaln(number + 1) - gammaln(each + 1) - gammaln(number - each + 1)
        logs = log_choices + xlogy(each, chance) + xlog1py(number - each, -chance)
        probabilities = np.convolve(probabilities, np.exp(logs))
    return min(1.0, float(probabilities[right:].sum()))


def least_above_guessing(chances: Sequence[float], level: float = 0.05) -> int:
    """Return the smallest number of right items that guessing reaches with a probability of at most `level`.

    If guessing has all items right with a higher probability than `level`, return the number of items plus one.

    Args:
        chances: for each item, the probability that a guess is right.
        level: the largest probability with which guessing may reach the number.
    """
    low, high = 0, len(chances) + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if guessing_tail(middle, chances) <= level else (middle + 1, high)
    return low


def detectable_share(least: int, items: int) -> float:
    """Return the true share of right items with which a system reaches `least` of `items` with probability 0.8.

    Args:
        least: the number of right items to reach, usually the result of `least_above_guessing`.
        items: number of items.

    Returns:
        The share; NaN if `least` exceeds the number of items, so that no system reaches it.
    """
    return float(betaincinv(least, items - least + 1, 0.8)) if 0 < least <= items else float("nan")


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for multiple tests (Holm 1979), valid for any dependence between the tests.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = np.argsort(p_values, kind="stable")
    factors = np.arange(len(order), 0, -1)
    corrected = np.empty(len(order))
    corrected[order] = np.minimum(1, np.maximum.accumulate(np.asarray(p_values, float)[order] * factors))
    return [float(each) for each in corrected]
