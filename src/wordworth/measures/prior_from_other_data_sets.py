"""A prior for the difference on one data set, estimated from the differences on other data sets.

True differences on data sets are taken as draws from a normal distribution of unknown mean and variance. There are G
data sets. A data set may have several studies, each with its own measured difference, but counts once, with the mean of
these differences. With m the mean over data sets and

    s² = sum over data sets of the mean of (difference - m)² over its studies / (G - 1),

the difference on one more data set has Student's distribution with G - 1 degrees of freedom about m, and the scale s (1
+ 1 / G)^(1/2) (as in the prediction interval of a random-effects meta-analysis; Higgins, Thompson and Spiegelhalter
2009). The measured difference has a normal error, and Bayes' theorem combines it with this prior. Student's
distribution has heavy tails, so that a data set that is unlike all others keeps about its measured difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from wordworth.measures.bootstrap import Interval

_REACH, _POINTS = 8.0, 4_001


@dataclass(frozen=True, slots=True)
class DataSetPrior:
    """A prior distribution of the difference of two systems on a new data set, estimated from other data sets.

    Attributes:
        mean, scale, degrees_of_freedom: the parameters of a Student's distribution.
    """

    mean: float
    scale: float
    degrees_of_freedom: float

    @classmethod
    def of(cls, differences: Iterable[Sequence[float]]) -> DataSetPrior:
        """Estimate the prior of a difference between two systems from its values on other data sets.

        Args:
            differences: for each of two or more data sets, the differences measured in its studies.
        """
        every = [np.array(of_set) for of_set in differences]
        count, mean = len(every), float(np.mean([of_set.mean() for of_set in every]))
        variance = sum(float(np.square(of_set - mean).mean()) for of_set in every) / (count - 1)
        return cls(mean, float(np.sqrt(variance * (1 + 1 / count))), count - 1.0)

    def interval(self, level: float = 0.95) -> Interval:
        """Return the interval that the prior gives for the difference of two systems on a data set not measured yet.

        Args:
            level: the level of the interval, such as 0.95.
        """
        half_width = self.scale * float(stdtrit(self.degrees_of_freedom, (1 + level) / 2))
        return Interval(self.mean - half_width, self.mean + half_width)

    def with_measured(self, measured: float, error: float) -> tuple[float, Interval]:
        """Return (median, 95 % interval) of a data set's true difference, given the prior and a measured difference.

        Args:
            measured: the difference measured on the data set.
            error: the standard error of `measured`, above 0.
        """
        steps = np.linspace(-_REACH, _REACH, _POINTS)
        values = measured + error * steps
        away = np.square((values - self.mean) / self.scale) / self.degrees_of_freedom
        log_density = -(self.degrees_of_freedom + 1) / 2 * np.log1p(away) - steps**2 / 2
        masses = np.exp(log_density - log_density.max())
        shares = (np.cumsum(masses) - masses / 2) / masses.sum()
        low, middle, high = np.interp([0.025, 0.5, 0.975], shares, values)
        return float(middle), Interval(float(low), float(high))
