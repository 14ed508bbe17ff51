"""The lead of a system that was picked out because it leads, corrected for having been picked.

A lead is reported where it exceeds what chance would give. Among leads so reported, those that chance has raised are
more frequent than those that it has lowered, so that the measured lead is too large on average and its usual interval
too high. Given that the estimate X ~ Normal(lead, error²) exceeds a threshold t, its distribution is a truncated
normal; the lead m for which

    P(X > measured | X > t; m) = (1 - Phi((measured - m) / error)) / (1 - Phi((t - m) / error))

is q has the chance 1 - q of lying above the true lead (Lee, Sun, Sun and Taylor 2016, theorem 5.2). The interval never
reaches further down than the usual one at 99.9 % (the hybrid of Andrews, Kitagawa and McCloskey 2024).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtri

from wordworth.measures.bootstrap import Interval

_WIDEST = 0.999
"""Two-sided level of the usual interval that bounds the corrected one from below."""
_REACH = 12.0
"""Standard errors around the measured lead in which a corrected one is sought."""


@dataclass(frozen=True, slots=True)
class SelectedLead:
    """A lead that is neither too large nor too small in half of the cases each, and its interval."""

    estimate: float
    interval: Interval


def selected_lead(measured: float, error: float, threshold: float, level: float = 0.95) -> SelectedLead:
    """Correct a measured lead for having been reported only because it exceeds a threshold.

    Args:
        measured: the measured lead, more than `threshold`.
        error: its standard error, more than 0.
        threshold: the least lead that would have been reported.
        level: confidence level of the interval.

    >>> selected_lead(2.5, 1.0, 2.0).estimate < 2.5
    True
    """
    lowest = measured - float(ndtri((1 + _WIDEST) / 2)) * error
    low, middle, high = (
        max(lowest, _true_lead(measured, error, threshold, (1 + side) / 2)) for side in (-level, 0, level)
    )
    return SelectedLead(middle, Interval(low, high))


def _true_lead(measured: float, error: float, threshold: float, q: float) -> float:
    """Return the true lead for which an estimate beyond the threshold exceeds the measured one with probability `q`."""

    def excess(true_lead: float) -> float:
        return float(log_ndtr((true_lead - measured) / error) - log_ndtr((true_lead - threshold) / error) - np.log(q))

    ends = measured - _REACH * error, measured + _REACH * error
    return ends[0] if excess(ends[0]) > 0 else float(brentq(excess, *ends))
