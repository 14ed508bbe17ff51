"""`Pair`: a cheap and a contextual rung, how often they disagree, and the difference that N test labels would show.

A test text adds 1, 0 or -1 to the difference of two rungs in accuracy. Where one is right alone on a share p of the
texts and the other on a share q, the variance of the mean over N texts is (p + q - (p - q)²) / N, and p + q is at most
the share of texts on which they disagree: exactly that with two classes, as one of them is then right. So texts without
labels tell the variance, or an upper bound of it; the square of the difference itself is left in, on the safe side.

Few texts tell the disagreement itself but roughly: none of 100 may be 3.6 % of all. A difference larger than what was
seen needs more disagreement than that, so it counts with the most that the texts allow.
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
from wordworth.studies.worth.gap_variance import GapVariance, first_that_shows
from wordworth.studies.worth.rows_to_decide import POWER

SIZES = (50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800)
"""Numbers of test labels in a plan."""
LEVEL = 0.95
_TRIED = np.geomspace(SIZES[0], 1e6, 2_001)
"""Numbers of test labels among which the one that shows a given difference is looked for."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rungs, and what is known of their difference in accuracy.

    Attributes:
        cheap: name of the rung without context; "" where the pair stands for those of other data sets.
        contextual: name of the rung with context; "" there too.
        disagreement: share of the texts on which they disagree.
        span: its 95 % interval; its upper end is the largest difference that they can have.
        variance: of their difference on `labels` test labels.
        labels: that number.
    """

    cheap: str
    contextual: str
    disagreement: float
    span: Interval
    variance: GapVariance
    labels: int

    @classmethod
    def of(cls, rungs: tuple[str, str], disagree: NDArray[np.bool_], measured: GapVariance, labels: int) -> Pair:
        """Return a pair whose variance by the test items is that of its disagreement.

        Args:
            rungs: names of the cheap and of the contextual rung.
            disagree: bool [texts], whether they disagree on each.
            measured: the variance of their difference on `labels` labels, whose other parts are kept.
            labels: that number.
        """
        share, span = float(np.mean(disagree)), exact_interval(int(disagree.sum()), len(disagree), LEVEL)
        return cls(*rungs, share, span, replace(measured, items=share / labels), labels)

    def difference(self, sizes: Sequence[int] | Floats) -> Floats:
        """Return the smallest true difference that each number of test labels tells from 0 with probability `POWER`.

        Infinite where it is more than the rungs can disagree, so that they cannot differ by so much.
        """
        as_seen, at_most = (self._detectable(sizes, share) for share in (self.disagreement, self.span.high))
        beyond = np.where(at_most <= self.span.high, at_most, math.inf)
        return floats(np.where(as_seen < self.disagreement, as_seen, beyond))

    def _detectable(self, sizes: Sequence[int] | Floats, disagreement: float) -> Floats:
        """Return the smallest difference that each number of test labels tells from 0, at this disagreement."""
        more = (disagreement - self.disagreement) / self.labels
        variance = replace(self.variance, items=self.variance.items + more)
        return variance.detectable(np.asarray(sizes) / self.labels, LEVEL, POWER)

    def half_width(self, sizes: Sequence[int]) -> Floats:
        """Return half the width of the 95 % interval of the difference with each number of test labels."""
        return self.variance.detectable(np.asarray(sizes) / self.labels, LEVEL, 0.5)

    def labels_for(self, difference: float) -> float:
        """Return how many test labels show a true difference; infinite where a million do not, or it cannot be."""
        if difference > self.span.high:
            return math.inf
        share = self.disagreement if difference <= self.disagreement else self.span.high
        return float(first_that_shows(np.array([difference]), _TRIED, self._detectable(_TRIED, share))[0])
