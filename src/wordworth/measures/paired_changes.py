"""Scores of many variants of one system on the same test items, each compared with the system on the same resamples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.added_test_items import AddedItems, added_items
from wordworth.measures.bootstrap import Interval, interval, item_weights
from wordworth.measures.metrics import Metric
from wordworth.measures.weighted_sums import Floats, Gold, Predicted


@dataclass(frozen=True, slots=True)
class Change:
    """The difference between a variant's score and the system's score.

    Attributes:
        value: the variant's score minus the system's.
        draws: float64 [draws], that difference in each resample of the items.
    """

    value: float
    draws: Floats

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the difference."""
        return interval(self.draws)

    def corrected(self, comparisons: int) -> Interval:
        """Return the interval at a level corrected for a number of comparisons (Bonferroni)."""
        return interval(self.draws, 1 - 0.05 / comparisons)

    def is_sure(self, comparisons: int) -> bool:
        """Return whether the interval of `corrected` excludes 0."""
        return 0.0 not in self.corrected(comparisons)


@dataclass(frozen=True, slots=True)
class PairedChanges:
    """The test items and their resamples, which every variant shares.

    If a variant differed from the system on hardly any item, its interval would have no width; `added_items` are
    therefore part of every resample.

    Attributes:
        metric: scores the predictions.
        gold: the gold labels of the items.
        weights: float64 [draws, items], how often each item is in each resample.
        added: the added items, and how often each is in each resample; None where none are needed.
    """

    metric: Metric
    gold: Gold
    weights: Floats
    added: tuple[AddedItems, Floats] | None

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
        """Draw the resamples.

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
        return cls(metric, gold, weights, None if added is None else (added, added.weights(draws, 1.0, rng)))

    def score(self, predicted: Predicted) -> float:
        """Return the score of predictions on all items."""
        return self.metric.score(self.gold, predicted)

    def change(self, variant: Predicted, system: Predicted) -> Change:
        """Return the score of a variant's predictions minus the score of the system's."""
        value = self.score(variant) - self.score(system)
        return Change(value, self._draws(variant, first=True) - self._draws(system, first=False))

    def _draws(self, predicted: Predicted, *, first: bool) -> Floats:
        """float64 [draws]: the score in each resample, of the first or the second system of a comparison."""
        if self.added is None:
            return self.metric.score(self.gold, predicted, self.weights)
        items, counts = self.added
        weights = np.concatenate([self.weights, counts], axis=1)
        return self.metric.score(items.gold_with(self.gold), items.predicted_with(predicted, first=first), weights)
