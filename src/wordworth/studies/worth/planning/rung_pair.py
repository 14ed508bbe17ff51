"""`Pair`: how often a cheap and a contextual rung disagree, and the difference that N test labels would detect.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

A test text adds 1, 0 or -1 to the difference of two rungs in accuracy. Where one is right alone on a share p of the
texts and the other on a share q, the variance of the mean over N texts is (p + q - (p - q)²) / N, and p + q is at most
the share of texts on which they disagree; with two classes p + q equals that share, as one of two rungs that disagree
is then right. So texts without labels give the variance, or an upper bound of it. The square of the difference is not
subtracted, which is on the safe side.

A sample of texts gives the disagreement only roughly: if two rungs disagree on 0 of 100 texts, they may still disagree
on 3.6 % of all texts. Rungs cannot differ in accuracy by more than the share of texts on which they disagree. So for a
difference larger than the observed disagreement, the variance is computed from the upper end of the disagreement's
interval.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.binomial import exact_interval
from wordworth.measures.bootstrap import Interval
from wordworth.measures.weighted_sums import Floats, floats
from wordworth.studies.worth.gap_variance import GapVariance, smallest_detecting_size
from wordworth.studies.worth.rows_to_decide import POWER

SIZES = (50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800)
"""Numbers of test labels in a plan."""
LEVEL = 0.95
_TRIED = np.geomspace(SIZES[0], 1e6, 2_001)
"""Numbers of test labels that `Pair.labels_for` tries."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A cheap and a contextual rung, with the variance of their difference in accuracy.

    Attributes:
        cheap: name of the cheap rung; "" in a pair that stands for rungs on published data sets.
        contextual: name of the contextual rung; "" in a pair that stands for rungs on published data sets.
        disagreement: share of the texts on which the rungs disagree.
        disagreement_interval: the 95 % interval of `disagreement`; its upper end is the largest difference that the
            rungs can have.
        variance: variance of the rungs' difference on `labels` test labels.
        labels: the number of test labels that `variance` refers to.
    """

    cheap: str
    contextual: str
    disagreement: float
    disagreement_interval: Interval
    variance: GapVariance
    labels: int

    @classmethod
    def of(cls, rungs: tuple[str, str], disagree: NDArray[np.bool_], measured: GapVariance, labels: int) -> Pair:
        """Return a pair of rungs; how often they disagree gives the variance of their difference due to test items.

        Args:
            rungs: names of the cheap and of the contextual rung.
            disagree: bool [texts], whether the rungs disagree on each text.
            measured: the variance of their difference on `labels` test labels, of which only the part `items` is
                replaced.
            labels: the number of test labels that `measured` refers to.
        """
        share, span = float(np.mean(disagree)), exact_interval(int(disagree.sum()), len(disagree), LEVEL)
        return cls(*rungs, share, span, replace(measured, items=share / labels), labels)

    def difference(self, sizes: Sequence[int] | Floats) -> Floats:
        """Return the smallest true difference that each number of test labels detects with probability `POWER`.

        Differences are in accuracy, as shares of 1, float64 [sizes]. A value is infinite if it would exceed the upper
        end of `disagreement_interval`: two rungs cannot differ in accuracy by more than the share of texts on which
        they disagree.
        """
        as_seen, at_most = (
            self._detectable(sizes, share) for share in (self.disagreement, self.disagreement_interval.high)
        )
        beyond = np.where(at_most <= self.disagreement_interval.high, at_most, math.inf)
        return floats(np.where(as_seen < self.disagreement, as_seen, beyond))

    def _detectable(self, sizes: Sequence[int] | Floats, disagreement: float) -> Floats:
        """Return the smallest difference that each number of test labels detects, float64 [sizes].

        Args:
            sizes: numbers of test labels.
            disagreement: share of texts on which the rungs are assumed to disagree.
        """
        more = (disagreement - self.disagreement) / self.labels
        variance = replace(self.variance, items=self.variance.items + more)
        return variance.detectable(np.asarray(sizes) / self.labels, LEVEL, POWER)

    def half_width(self, sizes: Sequence[int]) -> Floats:
        """Return half the width of the 95 % interval of the rungs' difference, for each number of test labels.

        The result is float64 [sizes], in accuracy as a share of 1.
        """
        return self.variance.detectable(np.asarray(sizes) / self.labels, LEVEL, 0.5)

    def labels_for(self, difference: float) -> float:
        """Return how many test labels detect a true difference in accuracy (a share of 1) with probability `POWER`.

        The number is infinite if a million labels do not detect the difference, or if the rungs cannot differ so much.
        """
        if difference > self.disagreement_interval.high:
            return math.inf
        share = self.disagreement if difference <= self.disagreement else self.disagreement_interval.high
        return float(smallest_detecting_size(np.array([difference]), _TRIED, self._detectable(_TRIED, share))[0])
