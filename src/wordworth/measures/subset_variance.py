"""The variance of a score over other draws of the labels, from runs that learned from subsets of these.

Runs on random subsets of m of N labels differ by what the subsets drew. Where the variance of a score falls as 1 / m,
that of a run on n fresh labels is, the correction for a finite population taken back (Cochran 1977, section 2.6; for
n = N it is the delete-d jackknife of Shao and Wu 1989)

    s² = (variance between the runs on m labels - their luck with the items) * c,    c = (m / n) / (1 - m / N)

Few runs say little, so a prior counts beside them: a share of the variance of the score by its test items. The sizes
are pooled by what each is worth: k runs have k - 1 degrees of freedom for their variance as it is, luck included, and
fewer for the part of it that the labels are: with s0² from the prior, (k - 1) (s0² / (s0² + c * luck))².
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wordworth.measures.bootstrap import luck_variance
from wordworth.measures.few_runs import RunVariance
from wordworth.measures.weighted_sums import Floats

PRIOR_SHARE, PRIOR_DEGREES = 0.3, 4.0
"""What the prior takes the variance over draws of n labels to be, in variances over n test items, and its degrees of
freedom. Fitted to the differences of rungs on sixteen data sets, whose quartiles are 0.19, 0.36 and 0.69
(`recipes/label_variance.py`)."""
_NESTED = 0.5
"""What the degrees of freedom of a size count, since the subsets of a seed are nested and repeat each other."""


@dataclass(frozen=True, slots=True)
class Population:
    """The rows behind a cross-fitted score.

    Attributes:
        rows: labelled rows that the subsets are drawn of, N above.
        tested: test items of the score, their weights counted.
    """

    rows: int
    tested: float


@dataclass(frozen=True, slots=True)
class SubsetRuns:
    """How far runs on subsets of one size differ.

    Attributes:
        labels: labels that each learned from, m above.
        variance: the variance between their scores, or paired differences, luck with the items included.
        luck: the part of it that is luck with the items.
        degrees_of_freedom: their number less one.
    """

    labels: int
    variance: float
    luck: float
    degrees_of_freedom: int

    @classmethod
    def of(cls, labels: int, point: Floats, by_draw: Floats) -> SubsetRuns:
        """Return how far two runs or more differ, by their scores, [runs], and those on resamples, [runs, draws]."""
        return cls(labels, float(point.var(ddof=1)), luck_variance(by_draw), len(point) - 1)

    @property
    def run_variance(self) -> RunVariance:
        """The variance between the runs without their luck."""
        return RunVariance(max(0.0, self.variance - self.luck), self.degrees_of_freedom)

    def label_variance(self, labels: int, rows: int, expected: float) -> RunVariance:
        """Return the variance over draws of `labels` labels, which may be negative by chance.

        Args:
            labels: n above.
            rows: N above.
            expected: what this variance is expected to be, by which the degrees of freedom are counted; above 0.
        """
        scale = self.labels / labels / (1 - self.labels / rows)
        share = expected / (expected + scale * self.luck)
        return RunVariance(scale * (self.variance - self.luck), _NESTED * self.degrees_of_freedom * share**2)


def label_variance(
    subsets: Iterable[SubsetRuns], labels: int, population: Population, item_variance: float
) -> RunVariance:
    """Return the variance of a score, or of a paired difference, over draws of the labels.

    Args:
        subsets: the runs of each smaller size.
        labels: labels that each run behind the score learned from, n above.
        population: the rows behind the score.
        item_variance: the variance of the score by its test items.
    """
    expected = PRIOR_SHARE * item_variance * population.tested / labels
    if expected == 0:
        return RunVariance(0.0, PRIOR_DEGREES)
    samples = [runs.label_variance(labels, population.rows, expected) for runs in subsets]
    pooled = RunVariance(expected, PRIOR_DEGREES).pooled(samples)
    return RunVariance(max(0.0, pooled.value), pooled.degrees_of_freedom)
