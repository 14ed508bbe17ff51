"""The non-inferiority test of smaller models: which lose no more than the margin, and the smallest of these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wordworth.measures.bootstrap import Interval
from wordworth.measures.paired_changes import is_within
from wordworth.studies.compression_frontier import Variant

Within = Literal["whole", "yes", "no", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A model, and whether its loss in score is within the margin.

    Attributes:
        variant: the model with its score and speed.
        ends: the interval of its score minus the whole model's score, at a level corrected for the number of smaller
            models.
        within: `yes` if the lower end of `ends` is at least -margin, so that the loss is no larger than the margin;
            `no` if the upper end is below -margin; else `cannot tell`. The whole model has `whole`.
        rows: about how many rows would turn `cannot tell` into `yes` if the true difference of the scores were the
            measured one; None if no number of rows would, and if `within` is not `cannot tell`.
    """

    variant: Variant
    ends: Interval
    within: Within
    rows: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """A whole model and its smaller variants, with the answer whether each loses no more than a margin.

    Attributes:
        judged: the models, the whole one first.
        margin: the largest loss in score allowed, on the metric's scale.
        level: confidence level of each interval; all intervals hold together with 95 % probability (Bonferroni).
    """

    judged: tuple[Judged, ...]
    margin: float
    level: float

    @classmethod
    def of(cls, variants: Sequence[Variant], margin: float, rows: int) -> Judgement:
        """Test for each smaller model whether its loss in score is within the margin.

        Args:
            variants: the models, the whole one first.
            margin: the largest loss in score allowed, on the metric's scale.
            rows: number of rows that the scores are measured on.
        """
        comparisons = max(1, len(variants) - 1)
        whole = Judged(variants[0], variants[0].change.corrected(comparisons), "whole")
        others = (_judged(variant, margin, comparisons, rows) for variant in variants[1:])
        return cls((whole, *others), margin, 1 - 0.05 / comparisons)

    @property
    def whole(self) -> Judged:
        """The whole model, which the smaller ones are compared with."""
        return self.judged[0]

    @property
    def beats_constant(self) -> bool:
        """Whether the whole model's score is significantly above the constant answer's score, at a level of 95 %.

        The value is also True if there is no score of a constant answer.
        """
        above = self.whole.variant.above_constant
        return above is None or above.interval.low > 0

    @property
    def smallest_within_margin(self) -> Judged | None:
        """The smallest model whose loss is significantly within the margin; None if no model is within the margin.

        Of equally small models, the one with the better score is returned. Only models that are smaller than the whole
        one are considered.
        """
        within = [each for each in self.judged if each.within == "yes" and self._is_smaller(each)]
        return min(within, key=lambda each: (each.variant.num_bytes, -each.variant.score), default=None)

    @property
    def undecided(self) -> tuple[Judged, ...]:
        """The smaller models of which the test cannot tell whether they score worse by less than the margin.

        Only models smaller than `smallest_within_margin` are listed or, if this is None, smaller than the whole model.
        The smallest comes first.
        """
        bound = (self.smallest_within_margin or self.whole).variant.num_bytes
        unsure = [each for each in self.judged if each.within == "cannot tell" and each.variant.num_bytes < bound]
        return tuple(sorted(unsure, key=lambda each: each.variant.num_bytes))

    def _is_smaller(self, each: Judged) -> bool:
        return each.variant.num_bytes < self.whole.variant.num_bytes


def _judged(variant: Variant, margin: float, comparisons: int, rows: int) -> Judged:
    value, ends = variant.change.value, variant.change.corrected(comparisons)
    if is_within(ends.low, margin):
        return Judged(variant, ends, "yes")
    if not is_within(ends.high, margin):
        return Judged(variant, ends, "no")
    room, reach = value + margin, value - ends.low
    return Judged(variant, ends, "cannot tell", math.ceil(rows * (reach / room) ** 2) if room > 0 else None)
