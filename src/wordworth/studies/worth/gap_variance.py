"""The variance of the difference between two rungs, by source, and the differences that more test items would detect.

A rung is one way of turning text into predictions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri, stdtrit

from wordworth.measures.weighted_sums import Floats, floats

_NORMAL = 1e6
"""Degrees of freedom from which Student's distribution is taken as normal."""


@dataclass(frozen=True, slots=True)
class GapVariance:
    """The variance of the paired difference of two rungs, by source; it forecasts the precision of larger test parts.

    Variances are on the squared scale of the metric.

    Attributes:
        items: variance due to the test items, in inverse proportion to their number.
        added: variance due to the items of `measures.added_items`, in inverse proportion to the square of the number of
            test items.
        runs: variance of the mean over the runs, without the part that is due to test items.
        luck: the part of the variance measured between runs that is due to test items, divided by the number of runs;
            `runs + luck` is the measured variance of the mean. 0 where `runs` rests on a prior.
        degrees_of_freedom: degrees of freedom of the variance between runs.
        labels: variance due to the labels that were drawn to learn from, in inverse proportion to the number of rows;
            0 without folds, where the intervals hold for the labels at hand.
    """

    items: float
    added: float
    runs: float
    luck: float
    degrees_of_freedom: float
    labels: float = 0.0

    def error(self, times: Floats) -> Floats:
        """Return the standard error of the difference with `times` as many test items, float64 of the same shape."""
        return floats(np.sqrt((self.items + self.labels) / times + self.added / np.square(times) + self.runs))

    def detectable(self, times: Floats, level: float, power: float) -> Floats:
        """Return the smallest true difference whose interval excludes 0 with probability `power`, float64 [times].

        Args:
            times: float64 [times], numbers of test items as multiples of the study's.
            level: the two-sided level of the interval, such as 0.95, which is Student's where runs differ.
            power: the probability.
        """
        return floats((self._quantile(times, level) + ndtri(power)) * self.error(times))

    def chance_to_tell(self, difference: float, times: Floats, level: float) -> Floats:
        """Return the probability that the interval of a larger study lies above 0, float64 [times].

        Its test items hold those of this study, so that the difference moves only by what new items and new runs bring:
        with nothing known of the true difference but this study, its expectation is the difference at hand, and its
        variance that of the items and the labels less what more of them leave, and that of the runs twice.

        Args:
            difference: the difference at hand.
            times: float64 [times], as for `detectable`, each at least 1.
            level: likewise.
        """
        moves = np.sqrt((self.items + self.labels) * np.maximum(0.0, 1 - 1 / times) + 2 * self.runs)
        needed = self._quantile(times, level) * self.error(times)
        with np.errstate(divide="ignore", invalid="ignore"):
            chance = ndtr((difference - needed) / moves)
        return floats(np.where(moves > 0, chance, difference > needed))

    def _quantile(self, times: Floats, level: float) -> Floats:
        """Return half the width of an interval in standard errors, float64 [times]."""
        error, between = self.error(times), self.runs + (self.luck + self.labels) / times
        with np.errstate(divide="ignore", invalid="ignore"):
            degrees = self.degrees_of_freedom * np.maximum(1.0, np.square(np.square(error) / between))
        student = stdtrit(np.minimum(degrees, _NORMAL), (1 + level) / 2)
        return floats(np.where(between > 0, student, ndtri((1 + level) / 2)))


def smallest_detecting_size(differences: Floats, sizes: Floats, detectable: Floats) -> Floats:
    """Return the smallest size of the test part that detects each difference, float64 [n]; infinite where none does.

    The detectable difference need not fall with the size, where intervals rest on the variance of a few runs.

    Args:
        differences: float64 [n], the true differences.
        sizes: float64 [sizes], numbers of test items or labels, ascending.
        detectable: float64 [sizes], the smallest difference that each size detects, from `GapVariance.detectable`.

    >>> smallest_detecting_size(np.array([0.03, 0.01]), np.array([100.0, 200.0]), np.array([0.04, 0.02])).tolist()
    [200.0, inf]
    """
    shows = detectable <= differences[:, None]
    return floats(np.where(shows.any(1), sizes[shows.argmax(1)], np.inf))
