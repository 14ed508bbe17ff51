"""The variance of a score over other draws of the labelled examples, estimated from runs on subsets of them.

Runs on random subsets of m of N labelled examples (labels, for short) differ by the drawn subsets. If the variance of a
score falls as 1 / m, the variance of a run on n fresh labels is s² below. The factor 1 - m / N is the correction for
sampling from a finite population, here divided out (Cochran 1977, section 2.6; for n = N, s² is the delete-d jackknife
of Shao and Wu 1989):

    s² = (variance between the runs on m labels - their luck with the items) * c,    c = (m / n) / (1 - m / N)

A few runs estimate s² badly. It is therefore pooled with a prior variance s0²: 0.3 of the variance that the sampling of
n test items causes in the score. Each size m enters the pooled variance with its degrees of freedom. The whole variance
between k runs, luck included, has k - 1 degrees of freedom; the part that the labels cause has fewer, (k - 1) (s0² /
(s0² + c * luck))².
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wordworth.measures.bootstrap import luck_variance
from wordworth.measures.intervals_from_few_runs import RunVariance
from wordworth.measures.weighted_sums import Floats

PRIOR_SHARE, PRIOR_DEGREES = 0.3, 4.0
"""The prior's variance over draws of n labels, as a multiple of the variance over n test items; and its degrees of
freedom. Fitted to the differences of rungs on sixteen data sets, whose quartiles are 0.19, 0.36 and 0.69
(`recipes/label_variance.py`)."""
_NESTED = 0.5
"""Factor on the degrees of freedom of each size, since the subsets of a seed are nested and share labels."""


@dataclass(frozen=True, slots=True)
class RowCounts:
    """The labelled rows from which a cross-fitted score was computed.

    Attributes:
        rows: number of labelled rows from which the subsets are drawn (N).
        tested: number of test items of the score, counted with their weights.
    """

    rows: int
    tested: float


@dataclass(frozen=True, slots=True)
class SubsetRuns:
    """The variance between runs that learned from random subsets of the labelled examples, all of one size.

    Attributes:
        labels: number of labelled examples that each run learned from (m).
        variance: the variance between the runs' scores or paired differences, luck with the test items included.
        luck: the part of `variance` that comes from luck with the test items (`bootstrap.luck_variance`).
        degrees_of_freedom: the number of runs minus one.
    """

    labels: int
    variance: float
    luck: float
    degrees_of_freedom: int

    @classmethod
    def of(cls, labels: int, point: Floats, by_draw: Floats) -> SubsetRuns:
        """Compute the variance between two or more runs, each of which learned from a subset of the labelled examples.

        Args:
            labels: number of labelled examples that each run learned from.
            point: float64 [runs], each run's score on the test items.
            by_draw: float64 [runs, draws], each run's score on the resampled items.
        """
        return cls(labels, float(point.var(ddof=1)), luck_variance(by_draw), len(point) - 1)

    @property
    def run_variance(self) -> RunVariance:
        """The variance between the runs without the part that comes from luck with the test items; at least 0."""
        return RunVariance(max(0.0, self.variance - self.luck), self.degrees_of_freedom)

    def label_variance(self, labels: int, rows: int, expected: float) -> RunVariance:
        """Return the variance of a score over other draws of `labels` labelled examples, as estimated from these runs.

        The estimate may be negative by chance.

        Args:
            labels: number of labelled examples for which the variance is wanted (n).
            rows: number of labelled rows from which the subsets were drawn (N).
            expected: the expected value of this variance, above 0, which determines the degrees of freedom.
        """
        scale = self.labels / labels / (1 - self.labels / rows)
        share = expected / (expected + scale * self.luck)
        return RunVariance(scale * (self.variance - self.luck), _NESTED * self.degrees_of_freedom * share**2)


def label_variance(
    subsets: Iterable[SubsetRuns], labels: int, row_counts: RowCounts, item_variance: float
) -> RunVariance:
    """Return the variance of a score, or of a paired difference, over other draws of the labelled examples.

    Args:
        subsets: the runs on subsets of each smaller size.
        labels: number of labelled examples that each run of the score learned from (n).
        row_counts: the labelled rows from which the score was computed.
        item_variance: the variance of the score over samples of test items; the prior is a share of it.
    """
    expected = PRIOR_SHARE * item_variance * row_counts.tested / labels
    if expected == 0:
        return RunVariance(0.0, PRIOR_DEGREES)
    samples = [runs.label_variance(labels, row_counts.rows, expected) for runs in subsets]
    pooled = RunVariance(expected, PRIOR_DEGREES).pooled(samples)
    return RunVariance(max(0.0, pooled.value), pooled.degrees_of_freedom)
