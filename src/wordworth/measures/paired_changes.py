"""Scores of many variants of one system on the same test items, each compared with the system on the same resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.added_test_items import PAIRS, AddedItems, added_items
from wordworth.measures.bootstrap import Interval, interval, item_weights
from wordworth.measures.design_effect import design_effect, few_groups_stretch
from wordworth.measures.metrics import Metric, errors
from wordworth.measures.weighted_sums import Floats, Gold, Predicted

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Change:
    """The difference between the score of a variant of a system and the score of the system itself.

    Attributes:
        value: the variant's score minus the system's score.
        draws: float64 [draws], the difference in each resample of the test items.
    """

    value: float
    draws: Floats

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the difference between the variant's and the system's score."""
        return interval(self.draws)

    def corrected(self, comparisons: int) -> Interval:
        """Return the interval of the difference at a level corrected for several comparisons (Bonferroni).

        Args:
            comparisons: the number of comparisons, each of which gets an interval.
        """
        return interval(self.draws, 1 - 0.05 / comparisons)

    def is_sure(self, comparisons: int) -> bool:
        """Return whether the interval, corrected for a number of comparisons (`corrected`), excludes 0."""
        return 0.0 not in self.corrected(comparisons)


def is_within(change: float, margin: float) -> bool:
    """Return whether a score falls by at most a margin; a loss that equals the margin but for rounding is within it.

    Args:
        change: the new score minus the old one, on the metric's scale.
        margin: the largest loss allowed, on the same scale.

    >>> 0.33 - 0.34 >= -0.01, is_within(0.33 - 0.34, 0.01)
    (False, True)
    """
    return change >= -margin - _ROUNDING


@dataclass(frozen=True, slots=True)
class PairedChanges:
    """The test items on which variants of a system are compared with it, and the resamples that all of them share.

    If a variant differed from the system on hardly any item, its interval would have no width; `added_items` are
    therefore part of every resample. If items are drawn in groups, the weight of an added item is the design effect of
    the two systems' errors, and the draws are stretched for few groups (`few_groups_stretch`).

    Attributes:
        metric: scores the predictions.
        gold: the gold labels of the items.
        weights: float64 [draws, items], how often each item is in each resample.
        added: the added items, and float64 [draws, 2 x added items], how often each of their two copies is in each
            resample (`AddedItems.weights`); None if no items are added.
        groups: [items], the group of each item; None if items are drawn one by one.
    """

    metric: Metric
    gold: Gold
    weights: Floats
    added: tuple[AddedItems, Floats] | None
    groups: NDArray[np.generic] | None = None

    @classmethod
    def of(
        cls,
        metric: Metric,
        gold: Gold,
        classes: Sequence[str],
        draws: int,
        rng: np.random.Generator,
        groups: NDArray[np.generic] | None = None,
    ) -> PairedChanges:
        """Draw the resamples of test items on which all variants of a system are compared with it.

        Args:
            metric: scores the predictions.
            gold: the gold labels of the items.
            classes: names of the classes or tags.
            draws: number of resamples.
            rng: source of randomness.
            groups: [items], names of groups that are drawn together; None to draw items one by one.
        """
        weights = item_weights(len(gold), draws, rng, groups)
        added = added_items(metric, gold, classes)
        with_weights = None if added is None else (added, added.weights(draws, 1.0, rng))
        is_grouped = groups is not None and len(np.unique(groups)) < len(gold)
        return cls(metric, gold, weights, with_weights, groups if is_grouped else None)

    def score(self, predicted: Predicted) -> float:
        """Return the score of predictions for all test items."""
        return self.metric.score(self.gold, predicted)

    def change(self, variant: Predicted, system: Predicted) -> Change:
        """Return a variant's score minus the system's score, for all test items and for each resample.

        Args:
            variant: the variant's predictions for the test items.
            system: the system's predictions for the same items.
        """
        value = self.score(variant) - self.score(system)
        effect, stretch = self._of_groups(np.stack([errors(self.gold, each) for each in (variant, system)]))
        draws = self._draws(variant, effect, first=True) - self._draws(system, effect, first=False)
        return Change(value, value + stretch * (draws - value))

    def score_interval(self, predicted: Predicted) -> Interval:
        """Return the 95 % interval of the score of one system's predictions, from resamples with the added items.

        Args:
            predicted: the system's predictions for the test items.
        """
        value, wrong = self.score(predicted), errors(self.gold, predicted)
        effect, stretch = self._of_groups(np.stack([wrong, np.zeros(len(wrong))]))
        draws = value + stretch * (self._draws(predicted, effect, first=True) - value)
        bias = self.metric.resampling_bias(draws, value)
        return interval(draws - bias).within(*self.metric.score_range)

    def _of_groups(self, wrong: Floats) -> tuple[float, float]:
        """Return (weight of an added item, factor on the deviations of the draws); both are 1 without groups.

        Args:
            wrong: float64 [systems, items], the error of each system on each item.
        """
        if self.groups is None:
            return 1.0, 1.0
        effect = design_effect(wrong, self.groups, prior_rows=2 * PAIRS)
        return effect, few_groups_stretch(len(np.unique(self.groups)))

    def _draws(self, predicted: Predicted, added_weight: float, *, first: bool) -> Floats:
        """Return the score of predictions in each resample, float64 [draws].

        Args:
            predicted: a system's predictions for the test items.
            added_weight: the weight of one drawn copy of an added item.
            first: whether the system is the first of the two that are compared.
        """
        if self.added is None:
            return self.metric.score(self.gold, predicted, self.weights)
        items, counts = self.added
        weights = np.concatenate([self.weights, added_weight * counts], axis=1)
        return self.metric.score(items.gold_with(self.gold), items.predicted_with(predicted, first=first), weights)
