"""Which smaller models stay within the margin, at a level corrected for their number; and the least of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wordworth.measures.bootstrap import Interval
from wordworth.studies.frontier import Variant

Within = Literal["whole", "yes", "no", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A model with its verdict.

    Attributes:
        variant: the model.
        ends: the interval of its change, at a level corrected for the number of smaller models.
        within: `yes` where the whole interval is within the margin, `no` where all of it is beyond, else
            `cannot tell`; `whole` for the whole model.
        rows: about how many rows would put the interval within the margin, were the change the measured one; None
            where it is beyond the margin, and where the interval is within it.
    """

    variant: Variant
    ends: Interval
    within: Within
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a whole model and smaller ones.

    Attributes:
        judged: each of them, the whole one first.
        margin: that a smaller one may cost, on the metric's scale.
        level: two-sided level of each interval, so that all hold together with 95 % probability (Bonferroni).
    """

    judged: tuple[Judged, ...]
    margin: float
    level: float

    @classmethod
    def of(cls, variants: Sequence[Variant], margin: float, rows: int) -> Judgement:
        """Judge smaller models beside the whole one.

        Args:
            variants: the whole one first.
            margin: on the metric's scale.
            rows: number of rows that measured.
        """
        comparisons = max(1, len(variants) - 1)
        whole = Judged(variants[0], variants[0].change.corrected(comparisons), "whole")
        others = (_judged(variant, margin, comparisons, rows) for variant in variants[1:])
        return cls((whole, *others), margin, 1 - 0.05 / comparisons)

    @property
    def whole(self) -> Judged:
        """The whole model."""
        return self.judged[0]

    @property
    def least(self) -> Judged | None:
        """The smallest model that surely stays within the margin, the better of equally small ones; None for none."""
        within = [each for each in self.judged if each.within == "yes" and self._is_smaller(each)]
        return min(within, key=lambda each: (each.variant.num_bytes, -each.variant.score), default=None)

    @property
    def undecided(self) -> tuple[Judged, ...]:
        """The models smaller than `least` of which the rows cannot tell, the smallest first."""
        bound = (self.least or self.whole).variant.num_bytes
        unsure = [each for each in self.judged if each.within == "cannot tell" and each.variant.num_bytes < bound]
        return tuple(sorted(unsure, key=lambda each: each.variant.num_bytes))

    def _is_smaller(self, each: Judged) -> bool:
        return each.variant.num_bytes < self.whole.variant.num_bytes


def _judged(variant: Variant, margin: float, comparisons: int, rows: int) -> Judged:
    value, ends = variant.change.value, variant.change.corrected(comparisons)
    if ends.low >= -margin:
        return Judged(variant, ends, "yes")
    if ends.high < -margin:
        return Judged(variant, ends, "no")
    room, reach = value + margin, value - ends.low
    return Judged(variant, ends, "cannot tell", math.ceil(rows * (reach / room) ** 2) if room > 0 else None)
