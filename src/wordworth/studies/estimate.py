"""`Estimate`: a mean score over runs or a difference of two, with its interval and the words that state it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.bootstrap import UNBOUNDED, Interval, crossed_interval
from wordworth.sentence_formatting import signed_with_range

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over runs of scores or of differences of scores, with its 95 % interval.

    Attributes:
        value: the mean.
        interval: its 95 % interval, over runs and test items.
        is_significant: whether the interval excludes 0 at a level corrected for the number of comparisons.
    """

    value: float
    interval: Interval
    is_significant: bool

    @classmethod
    def of(
        cls,
        point: Floats,
        by_draw: Floats,
        picks: NDArray[np.int64],
        *,
        value_range: tuple[float, float] = UNBOUNDED,
        comparisons: int = 1,
    ) -> Estimate:
        """Return the mean over runs, with an interval that resamples runs and test items.

        Args:
            point: the value of each run, float64 [runs].
            by_draw: the value of each run on each resample of the test items, float64 [runs, draws].
            picks: the runs of each resample, int64 [draws, runs].
            value_range: the least and the greatest possible value.
            comparisons: number of comparisons among which an error rate of 5 % is divided (Bonferroni).
        """

        def at(level: float) -> Interval:
            return crossed_interval(point, by_draw, picks, level, value_range=value_range)

        interval = at(0.95)
        corrected = interval if comparisons == 1 else at(1 - 0.05 / comparisons)
        return cls(float(point.mean()), interval, 0.0 not in corrected)

    def in_points(self) -> str:
        """Return the difference and its interval as text, in points (0.01 each)."""
        return signed_with_range(self.value, self.interval.low, self.interval.high)

    def comparison(self, above: str = "surely ahead of", below: str = "surely behind") -> str:
        """Return the words for a difference: `above`, `below` or, if not significant, "not surely different from".

        Args:
            above: the words for a significant difference above 0.
            below: the words for a significant difference below 0.
        """
        if not self.is_significant:
            return "not surely different from"
        return above if self.value > 0 else below
