"""What a score is taken over, and how sure it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import stdtrit

from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.weighted_sums import Flags, Floats, floats

LEAST = 10
"""Of fewer items nothing is scored: the order of two pairs is heads or tails."""


class Subset(NamedTuple):
    """Over what a score is.

    Attributes:
        items: bool [n], those that count.
        words: what may answer an analogy, in lower case; None for all words of a table.
    """

    items: Flags
    words: frozenset[str] | None = None

    @property
    def key(self) -> tuple[bytes, frozenset[str] | None]:
        """Equal for equal grounds."""
        return self.items.tobytes(), self.words


class Score(NamedTuple):
    """A score, NaN where it is undefined.

    Attributes:
        point: its value.
        draws: float64 [draws], of resampled sets; of parts of the set, their spread that of the whole, where `parts`.
        parts: whether only the spread of the draws means something.
        lowest, highest: between which any score lies.
    """

    point: float
    draws: Floats
    parts: bool = False
    lowest: float = -1.0
    highest: float = 1.0

    @property
    def defined(self) -> bool:
        """Whether there is a score."""
        return not np.isnan(self.point)

    def less(self, other: Score) -> Score:
        """The paired difference: both were drawn with the same items."""
        return Score(self.point - other.point, floats(self.draws - other.draws), self.parts)

    def span(self) -> Interval:
        """The 95 % interval: percentiles of draws; around the score, by Student's t, where they are of parts."""
        if not self.parts or not self.defined:
            return interval(self.draws)
        reach = float(stdtrit(len(self.draws) - 1, 0.975) * self.draws.std(ddof=1))
        return Interval(max(self.point - reach, self.lowest), min(self.point + reach, self.highest))

    def numbers(self, name: str) -> dict[str, float]:
        """The score under that name, and the ends of its interval."""
        span = self.span()
        return {name: self.point, "low": span.low, "high": span.high}

    @classmethod
    def mean(cls, several: list[Score]) -> Score:
        """Of scores drawn each by itself."""
        return cls(
            float(np.mean([one.point for one in several])), floats(np.mean([one.draws for one in several], axis=0))
        )


UNDEFINED = Score(np.nan, np.full(1, np.nan))
Scored = Callable[[Subset, Floats], dict[str, Score]]
"""Weights are float64 [draws, n], the first row all ones: the set as it is. A metric's name -> its score."""
