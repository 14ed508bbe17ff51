"""Selective inference: correction of an estimate that is reported only because it is large.

A difference is reported if it exceeds a threshold. Among reported differences, more were raised by chance than lowered,
so that the measured value is too large on average and its usual interval too high. Given that the estimate X ~
Normal(m, error²) exceeds the threshold, its distribution is a truncated normal; the true value m for which

    P(X > measured | X > threshold; m) = (1 - Phi((measured - m) / error)) / (1 - Phi((threshold - m) / error)) = q

lies above the truth with probability q (Lee, Sun, Sun and Taylor 2016, theorem 5.2). The lower end of the corrected
interval is never below the lower end of the usual 99.9 % interval (the hybrid of Andrews, Kitagawa and McCloskey 2024).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtri

from wordworth.measures.bootstrap import Interval

_WIDEST = 0.999
"""Two-sided level of the usual interval that bounds the corrected one."""


@dataclass(frozen=True, slots=True)
class CorrectedEstimate:
    """An estimate corrected for selection (it was reported only because it was large), and its interval.

    The corrected value is as often too large as too small (median-unbiased).
    """

    value: float
    interval: Interval


def corrected_estimate(measured: float, error: float, threshold: float) -> CorrectedEstimate:
    """Correct an estimate for the selection by which it is reported only if it exceeds a threshold.

    The corrected value is never above the measured one.

    Args:
        measured: the estimate; if it is not above the threshold, it is not corrected.
        error: the standard error of the estimate.
        threshold: the estimate would not have been reported below this value.

    >>> corrected_estimate(2.5, 1.0, threshold=2.0).value < 2.5
    True
    """
    if measured <= threshold:
        threshold = -math.inf
    if error == 0:
        return CorrectedEstimate(measured, Interval(measured, measured))
    low, middle, high = (_true_value(measured, error, threshold, (1 + side) / 2) for side in (-0.95, 0.0, 0.95))
    return CorrectedEstimate(middle, Interval(low, high))


def _true_value(measured: float, error: float, threshold: float, q: float) -> float:
    """Return the true value for which a reported estimate exceeds the measured one with probability `q`.

    The probability grows with the true value, which is searched for in the usual interval of level `_WIDEST`.
    """

    def excess(true_value: float) -> float:
        reported = log_ndtr((true_value - threshold) / error) if math.isfinite(threshold) else 0.0
        return float(log_ndtr((true_value - measured) / error) - reported - math.log(q))

    reach = float(ndtri((1 + _WIDEST) / 2)) * error
    low, high = measured - reach, measured + reach
    return low if excess(low) >= 0 else float(brentq(excess, low, high))
