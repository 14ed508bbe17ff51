"""The variance of the difference between two rungs, by source, and the differences that more test items would detect.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
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
    """The variance of the paired difference of two rungs by source, which forecasts the precision of larger test parts.

    Variances are on the squared scale of the metric.

    Attributes:
        items: variance due to the choice of test items; it is in proportion to 1 / (number of test items).
        added: variance due to the items that `measures.added_test_items` adds; it is in proportion to 1 / (number of
            test items)².
        runs: variance, due to the runs alone, of the mean of the difference over the runs.
        items_between_runs: variance of the same mean due to the test items; 0 if `runs` comes from a prior. `runs +
            items_between_runs` is the observed variance between the runs, divided by the number of runs.
        degrees_of_freedom: degrees of freedom of the variance between runs.
        label_draws: variance due to the draw of labels to learn from; it is in proportion to 1 / (number of rows). It
            is 0 if there are no folds, since intervals then hold for the given labels only.
    """

    items: float
    added: float
    runs: float
    items_between_runs: float
    degrees_of_freedom: float
    label_draws: float = 0.0

    def error(self, times: Floats) -> Floats:
        """Return the standard error of the difference with `times` times as many test items, float64 [times]."""
        return floats(np.sqrt((self.items + self.label_draws) / times + self.added / np.square(times) + self.runs))

    def detectable(self, times: Floats, level: float, power: float) -> Floats:
        """Return the smallest true difference of two rungs that a study detects with the probability `power`.

        The study detects the difference if the interval of the measured difference excludes 0.

        Args:
            times: float64 [times], numbers of test items as multiples of the study's number; the result has the same
                shape.
            level: the two-sided level of the interval, such as 0.95; it is a Student's t interval if runs differ.
            power: the probability, 0 to 1.
        """
        return floats((self._quantile(times, level) + ndtri(power)) * self.error(times))

    def chance_to_tell(self, difference: float, times: Floats, level: float) -> Floats:
        """Return the probability that a larger study finds a difference significantly above 0, float64 [times].

        The larger study has the test items of this study, further test items, and new runs. With a flat prior on the
        true difference, the difference that it will measure has the expectation `difference` and the variance (`items`
        + `label_draws`) (1 - 1 / times) + 2 `runs`.

        Args:
            difference: the difference that this study measured.
            times: float64 [times], numbers of test items as multiples of the study's number, each at least 1.
            level: the two-sided level of the interval.
        """
        moves = np.sqrt((self.items + self.label_draws) * np.maximum(0.0, 1 - 1 / times) + 2 * self.runs)
        needed = self._quantile(times, level) * self.error(times)
        with np.errstate(divide="ignore", invalid="ignore"):
            chance = ndtr((difference - needed) / moves)
        return floats(np.where(moves > 0, chance, difference > needed))

    def _quantile(self, times: Floats, level: float) -> Floats:
        """Return half the width of the difference's interval in standard errors, float64 [times]; see `detectable`."""
        error, between = self.error(times), self.runs + (self.items_between_runs + self.label_draws) / times
        with np.errstate(divide="ignore", invalid="ignore"):
            degrees = self.degrees_of_freedom * np.maximum(1.0, np.square(np.square(error) / between))
        student = stdtrit(np.minimum(degrees, _NORMAL), (1 + level) / 2)
        return floats(np.where(between > 0, student, ndtri((1 + level) / 2)))


def smallest_detecting_size(differences: Floats, sizes: Floats, detectable: Floats) -> Floats:
    """Return the smallest size of the test part that detects each difference, float64 [n]; infinite if no size does.

    A larger size need not detect smaller differences: intervals also depend on the variance between a few runs.

    Args:
        differences: float64 [n], the true differences.
        sizes: float64 [sizes], sizes of the test part in any unit, such as its number of labelled examples, ascending.
        detectable: float64 [sizes], the smallest difference that each size detects, from `GapVariance.detectable`.

    >>> smallest_detecting_size(np.array([0.03, 0.01]), np.array([100.0, 200.0]), np.array([0.04, 0.02])).tolist()
    [200.0, inf]
    """
    shows = detectable <= differences[:, None]
    return floats(np.where(shows.any(1), sizes[shows.argmax(1)], np.inf))
