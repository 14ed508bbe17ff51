"""Selective inference: an estimate that is reported because of its size, corrected for that.

A difference is reported where it exceeds what chance would give. Among those so reported, differences that chance has
raised are more frequent than those that it has lowered, so that the measured one is too large on average and its usual
interval too high. Given that the estimate X ~ Normal(m, error²) lies between two thresholds, its distribution is a
truncated normal; the true value m for which

    P(X > measured | above < X < below; m) = q

has the chance 1 - q of lying above the truth (Lee, Sun, Sun and Taylor 2016, theorem 5.2). The interval never reaches
further than the usual one at 99.9 % (the hybrid of Andrews, Kitagawa and McCloskey 2024).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.optimize import brentq
from scipy.special import ndtri
from scipy.stats import truncnorm

from wordworth.measures.bootstrap import Interval

_WIDEST = 0.999
"""Two-sided level of the usual interval that bounds the corrected one."""


@dataclass(frozen=True, slots=True)
class CorrectedEstimate:
    """An estimate that is too large and too small equally often, and its interval."""

    value: float
    interval: Interval


def corrected_estimate(
    measured: float, error: float, above: float = -math.inf, below: float = math.inf, level: float = 0.95
) -> CorrectedEstimate:
    """Correct an estimate for having been reported only because it lies between two thresholds.

    Args:
        measured: the estimate; outside of the thresholds nothing is corrected.
        error: its standard error.
        above: the estimate would not have been reported below this value.
        below: nor above this one.
        level: confidence level of the interval.

    >>> corrected_estimate(2.5, 1.0, above=2.0).value < 2.5
    True
    """
    if not above < measured < below:
        above, below = -math.inf, math.inf
    if error == 0:
        return CorrectedEstimate(measured, Interval(measured, measured))
    low, middle, high = (_true_value(measured, error, above, below, (1 + side) / 2) for side in (-level, 0.0, level))
    return CorrectedEstimate(middle, Interval(low, high))


def _true_value(measured: float, error: float, above: float, below: float, q: float) -> float:
    """Return the true value for which a reported estimate exceeds the measured one with probability `q`.

    The probability grows with the true value, which is sought within the widest usual interval.
    """

    def excess(true_value: float) -> float:
        ends = (above - true_value) / error, (below - true_value) / error
        return float(truncnorm.sf((measured - true_value) / error, *ends)) - q

    reach = float(ndtri((1 + _WIDEST) / 2)) * error
    low, high = measured - reach, measured + reach
    if excess(low) >= 0:
        return low
    return high if excess(high) <= 0 else float(brentq(excess, low, high))
