"""The variance of the difference of two rungs, in its parts, and the difference that a study of another size shows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammaincinv, ndtr, ndtri, stdtrit

from wordworth.measures.weighted_sums import Floats, floats

_QUANTILES = (np.arange(9) + 0.5) / 9
_NORMAL = 1e6
"""Degrees of freedom from which Student's distribution is taken as normal."""


@dataclass(frozen=True, slots=True)
class GapVariance:
    """The variance of a paired difference of two rungs, in its parts, and what larger test parts would make of it.

    Attributes:
        items: that of the test items, which is in inverse proportion to their number.
        added: that of the added items, which is in inverse proportion to the square of the number of test items.
        runs: that of the mean over the runs.
        luck: what the luck of each run with the items adds to the variance that is measured between runs.
        degrees_of_freedom: those of the variance between runs.
        labels: that of the labels that were drawn, in inverse proportion to the number of rows; 0 without folds, where
            the labels of the verdict are taken as they are.
    """

    items: float
    added: float
    runs: float
    luck: float
    degrees_of_freedom: float
    labels: float = 0.0

    def error(self, times: Floats) -> Floats:
        """Return the standard error of the difference with so many `times` the test items."""
        return floats(np.sqrt((self.items + self.labels) / times + self.added / np.square(times) + self.runs))

    def plausible(self) -> list[GapVariance]:
        """Return equally likely variances, given that a few runs tell but roughly how far runs differ.

        What is measured between them times its degrees of freedom over a chi-square of as many: its distribution under
        Jeffreys' prior (Gelman and others 2013, "Bayesian Data Analysis", section 3.2).
        """
        between, degrees = self.runs + self.luck, min(self.degrees_of_freedom, _NORMAL)
        times = degrees / (2 * gammaincinv(degrees / 2, _QUANTILES))
        return [replace(self, runs=max(0.0, between * each - self.luck)) for each in times.tolist()]

    def detectable(self, times: Floats, level: float, power: float) -> Floats:
        """Return the smallest true difference that an interval tells from 0 with a probability.

        Args:
            times: how many times the test items of the study.
            level: the two-sided level of the interval, whose ends widen as `measures.bootstrap.widened` says.
            power: the probability.
        """
        return floats((self._quantile(times, level) + ndtri(power)) * self.error(times))

    def power(self, differences: Floats, times: Floats, level: float) -> Floats:
        """Return the probability that an interval tells each true difference from 0, float64 [differences, times].

        Args:
            differences: float64 [differences], the true differences; one below 0 only by chance.
            times: float64 [times], as for `detectable`.
            level: likewise.
        """
        return floats(ndtr(differences[:, None] / self.error(times) - self._quantile(times, level)))

    def _quantile(self, times: Floats, level: float) -> Floats:
        """How many standard errors half an interval is wide, float64 [times]."""
        error, between = self.error(times), self.runs + (self.luck + self.labels) / times
        with np.errstate(divide="ignore", invalid="ignore"):
            degrees = self.degrees_of_freedom * np.maximum(1.0, np.square(np.square(error) / between))
        student = stdtrit(np.minimum(degrees, _NORMAL), (1 + level) / 2)
        return floats(np.where(between > 0, student, ndtri((1 + level) / 2)))


def first_that_shows(differences: Floats, sizes: Floats, detectable: Floats) -> Floats:
    """Return the smallest size that shows each difference, float64 [n]; infinite where none does.

    A larger size may show less, where its interval rests on the variance of a few runs.

    Args:
        differences: float64 [n], the true differences.
        sizes: float64 [sizes], ascending.
        detectable: float64 [sizes], the smallest difference that each size shows, as `GapVariance.detectable` has it.
    """
    shows = detectable <= differences[:, None]
    return floats(np.where(shows.any(1), sizes[shows.argmax(1)], np.inf))
