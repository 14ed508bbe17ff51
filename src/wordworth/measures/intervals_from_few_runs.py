"""Intervals from few runs: the variance between runs is pooled with a prior estimated on other data sets.

Two runs have little information on the variance between runs, and one run has none. A scaled inverse chi-squared prior,
estimated from many data sets, stands in for further runs (Smyth 2004, equation 5, the moderated variance). A prior
variance s0² with d0 degrees of freedom is pooled with samples of n_k runs, which have the variances s_k² (without the
part that is each run's luck with the items). The pooled variance is

    s² = (d0 s0² + sum (n_k - 1) s_k²) / (d0 + sum (n_k - 1))

The error of a mean score is then the sum of a normal error, from the items, and an error with Student's distribution,
from the runs. The interval lies between quantiles of this sum.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri, stdtrit

from wordworth.measures.bootstrap import Interval
from wordworth.measures.weighted_sums import Floats

PRIOR_DEGREES = 4.0
"""Degrees of freedom of a prior, which express how much the standard deviation between fine-tuning runs differs among
data sets. They are fewer than `benchmarks/run_variance_prior.py` fits, as its nine groups of runs have little
information on large deviations.
"""

_PARTS, _NEGLIGIBLE = 1_000, 1e-6


@dataclass(frozen=True, slots=True)
class RunVariance:
    """A variance between runs and its degrees of freedom; the variance is in squared units of the metric."""

    value: float
    degrees_of_freedom: float

    def pooled(self, samples: Iterable[RunVariance]) -> RunVariance:
        """Return this variance pooled with the variances of samples of runs, each weighted by its degrees of freedom.

        Args:
            samples: the variances to pool with this one.
        """
        parts = [self, *samples]
        degrees = sum(part.degrees_of_freedom for part in parts)
        return RunVariance(sum(part.value * part.degrees_of_freedom for part in parts) / degrees, degrees)

    def of_mean(self, runs: int) -> RunVariance:
        """Return the variance of the mean score of independent runs: the variance between runs divided by `runs`."""
        return RunVariance(self.value / runs, self.degrees_of_freedom)

    def __add__(self, other: RunVariance) -> RunVariance:
        """Return the variance of a sum of two independent deviations, at Satterthwaite's (1946) degrees of freedom."""
        value = self.value + other.value
        shares = self.value**2 / self.degrees_of_freedom + other.value**2 / other.degrees_of_freedom
        return RunVariance(value, value**2 / shares)


def few_runs_interval(by_draw: Floats, variance: RunVariance, level: float = 0.95) -> Interval:
    """Return the confidence interval of a mean score, or of a paired difference, over runs and items.

    The ends of the interval are quantiles of the sum of two errors: a normal error, from the items, and an error with
    Student's distribution, from the runs.

    Args:
        by_draw: float64 [runs, draws], each run's score (or difference) on the resampled items.
        variance: the variance between runs, with its degrees of freedom.
        level: confidence level.
    """
    of_items, of_runs = float(by_draw.mean(axis=0).std()), float(np.sqrt(variance.value / len(by_draw)))
    half_width = _quantile((1 + level) / 2, of_items, of_runs, variance.degrees_of_freedom)
    middle = float(by_draw.mean())
    return Interval(middle - half_width, middle + half_width)


def _quantile(probability: float, normal: float, student: float, degrees: float) -> float:
    """Return a quantile above the median of the sum of a normal error and an error with Student's distribution.

    Student's distribution is approximated by `_PARTS` points of equal probability.

    Args:
        probability: the probability of a sum below the quantile, above 0.5.
        normal: the standard deviation of the normal error.
        student: the scale of the error with Student's distribution.
        degrees: the degrees of freedom of Student's distribution.
    """
    end = normal * float(ndtri(probability)) + student * float(stdtrit(degrees, probability))
    if min(normal, student) <= _NEGLIGIBLE * max(normal, student):
        return end
    shifts = student * stdtrit(degrees, (np.arange(_PARTS) + 0.5) / _PARTS)
    return float(brentq(lambda value: ndtr((value - shifts) / normal).mean() - probability, 0.0, 1.01 * end))
