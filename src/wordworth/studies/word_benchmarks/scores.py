"""`Score`: a score with its bootstrap draws, and `Subset`: the items that it is computed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.weighted_sums import Flags, Floats, floats

LEAST = 10
"""The minimum number of items for a score; on fewer, a ranking is mostly chance."""


class Subset(NamedTuple):
    """The items that a score is computed on.

    Attributes:
        items: bool [n], the items that count.
        words: the candidate answers of analogies, in lower case; None for all words of a table.
    """

    items: Flags
    words: frozenset[str] | None = None

    @property
    def key(self) -> tuple[bytes, frozenset[str] | None]:
        """A cache key, equal for equal subsets."""
        return self.items.tobytes(), self.words


class Score(NamedTuple):
    """A score, NaN where it is undefined.

    Attributes:
        point: the value on the items as they are.
        draws: float64 [draws], the values on resampled sets; with `parts`, values on parts of the set, scaled so that
            their standard deviation is that of the whole.
        parts: whether only the standard deviation of the draws is meaningful, not their position.
        lowest, highest: the bounds of any such score.
    """

    point: float
    draws: Floats
    parts: bool = False
    lowest: float = -1.0
    highest: float = 1.0

    @property
    def defined(self) -> bool:
        """Whether the score is defined."""
        return not np.isnan(self.point)

    def less(self, other: Score) -> Score:
        """Return the paired difference; both scores were resampled with the same items."""
        return Score(self.point - other.point, floats(self.draws - other.draws), self.parts)

    def span(self) -> Interval:
        """Return the 95 % interval: percentiles of the draws, or with `parts`, Student's t around the score."""
        if not self.parts or not self.defined:
            return interval(self.draws)
        reach = float(stdtrit(len(self.draws) - 1, 0.975) * self.draws.std(ddof=1))
        return Interval(max(self.point - reach, self.lowest), min(self.point + reach, self.highest))

    def numbers(self, name: str) -> dict[str, float]:
        """Return the score under `name`, and the ends of its interval as `low` and `high`."""
        span = self.span()
        return {name: self.point, "low": span.low, "high": span.high}

    @classmethod
    def mean(cls, several: list[Score]) -> Score:
        """Average scores that were resampled independently of each other."""
        return cls(
            float(np.mean([score.point for score in several])),
            floats(np.mean([score.draws for score in several], axis=0)),
        )


UNDEFINED = Score(np.nan, np.full(1, np.nan))
Scored = Callable[[Subset, Floats], dict[str, Score]]
"""A scoring function: subset, weights float64 [draws, n] -> metric name -> score.

The first row of the weights is all ones, the set as it is.
"""
