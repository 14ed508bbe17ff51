"""Test items added to a comparison of two systems: its interval is then wide enough even if they hardly disagree.

If two systems answer nearly every test item alike, a bootstrap over these items gives an interval of almost no width.
Such an interval is too short: 24 items that both systems answer rightly, for example, cannot show that one system errs
once in 50 items. The remedy is to add pairs of items: one item that only the first system answers rightly, and one that
only the second does (Agresti and Min 2005; Bonett and Price 2012, equation 2, add one pair). Here 1.5 pairs are added
on average.

A wrong verdict remains possible. If one of two systems is 1.1 points worse, no item tells them apart in 4 % of test
parts of 290 items, and in 2 % of test parts of 355 items. The systems are then judged equal within one point: with one
added pair from 290 items on, with 1.5 added pairs from 355 items on.

The added items are part of the bootstrap resamples only; they never count in a reported score. Each resample has a
random number of added items, of random classes among the classes of the test part. As added items have gold labels and
predictions, any metric for the kind of label can score them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.chunk_f1 import scheme
from wordworth.measures.metrics import CLASS_F1, Metric
from wordworth.measures.weighted_sums import Floats, Gold, Integers, Predicted, floats

PAIRS = 1.5
"""Pairs added in each direction, on average over the resamples."""


@dataclass(frozen=True, slots=True)
class AddedItems:
    """Test items added to a comparison of two systems: a gold label, a right and a wrong prediction for each.

    Labels and predictions have the form that the metric takes. Every item is used twice: on its first copy the first
    system is right and the second wrong, on its second copy the reverse.
    """

    gold: Gold
    right: Predicted
    wrong: Predicted

    def __len__(self) -> int:
        return len(self.gold)

    def gold_with(self, gold: Gold) -> Gold:
        """Return the gold labels of the test part, followed by two copies of the gold labels of the added items.

        The first system of the comparison is right on the first copy, the second system on the second copy.
        """
        return _joined(gold, self.gold, self.gold)

    def predicted_with(self, predicted: Predicted, *, first: bool) -> Predicted:
        """Return a system's predictions, followed by its predictions for the two copies of the added items.

        The first system is right on the first copy alone, and the second system on the second copy alone.

        Args:
            predicted: the system's predictions for the test part.
            first: whether the system is the first of the two.
        """
        added = (self.right, self.wrong) if first else (self.wrong, self.right)
        return _joined(predicted, *added)

    def weights(self, draws: int, item_weight: float, rng: np.random.Generator) -> Floats:
        """Return the weight of each added item in each resample of the test part, float64 [draws, 2 x added items].

        Every item has two columns, one for each of its copies: each system is right on one copy and wrong on the other.
        The weight is the number of times that the copy was drawn, times `item_weight`.

        Args:
            draws: number of resamples.
            item_weight: the weight of one drawn copy; more than 1 where test items are drawn in groups.
            rng: source of randomness.
        """
        return floats(rng.poisson(PAIRS / len(self), (draws, 2 * len(self))) * item_weight)


def added_items(metric: Metric, gold: Gold, classes: Sequence[str]) -> AddedItems | None:
    """Return the items to add to the test items of a comparison of two systems by a metric; None if no item is added.

    Nothing is added for numeric labels, since two systems hardly ever predict the same number. No item can be made with
    a single class, or for a metric without a worst score (the log loss).

    Args:
        metric: the metric; for a metric of a single class, all added items are of this class.
        gold: the gold labels of the test part.
        classes: the names of the classes or tags.
    """
    if isinstance(gold, tuple):
        return _tags(metric, gold, classes)
    if np.issubdtype(gold.dtype, np.floating) or gold.dtype == np.object_ or not np.isfinite(metric.least):
        return None
    many_labels, width = gold.ndim > 1, len(classes)
    present = np.flatnonzero(gold.any(axis=0)) if many_labels else np.unique(gold)
    named = metric.name.removeprefix(CLASS_F1)
    if named != metric.name and named in classes:
        present = np.array([list(classes).index(named)])
    if not len(present) or width < (1 if many_labels else 2):
        return None
    return _labels(present, width) if many_labels else _classes(present, width, metric.worst)


def _classes(present: Integers, width: int, worst: Sequence[int]) -> AddedItems:
    """Return one added item for each class that is present, for tasks with one class per item.

    Args:
        present: int64 [items], the class of each added item.
        width: number of classes of the task.
        worst: the index of each class's worst wrong prediction; if empty, a class next to the gold one is predicted.
    """
    wrong = np.array(worst)[present] if worst else np.where(present + 1 < width, present + 1, present - 1)
    return AddedItems(present.astype(np.int64), np.eye(width)[present], np.eye(width)[wrong])


def _labels(present: Integers, width: int) -> AddedItems:
    """Return one added item for each class that is present, for tasks with several classes per item.

    The class is the item's only gold label; the wrong prediction is no class at all.

    Args:
        present: int64 [items], the gold class of each added item.
        width: number of classes of the task.
    """
    gold = np.eye(width, dtype=np.bool_)[present]
    return AddedItems(gold, np.where(gold, 1.0, -1.0), np.full(gold.shape, -1.0))


def _tags(metric: Metric, gold: tuple[Integers, ...], tags: Sequence[str]) -> AddedItems | None:
    """Return one added sentence of one word for each gold tag; None if there is no such tag, or no other to predict.

    A metric of entities gets sentences only for tags that are part of an entity. The wrong prediction is then the tag
    outside of entities; else it is a neighbouring tag.

    Args:
        metric: the metric; for a metric of a single entity type, only tags of this type get sentences.
        gold: for each sentence int64 [words], the indices of the gold tags in `tags`.
        tags: the names of the tags.
    """
    meaning = scheme(tags)
    present = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *gold]))
    outside = np.flatnonzero(meaning.kind < 0)
    if metric.name != "token_accuracy" and len(outside):
        present = present[meaning.kind[present] >= 0]
        named = metric.name.removeprefix(CLASS_F1)
        if named in meaning.types:
            present = present[meaning.kind[present] == meaning.types.index(named)]
        wrong = np.full(len(present), outside[0])
    else:
        wrong = np.where(present + 1 < len(tags), present + 1, present - 1)
    if not len(present) or len(tags) < 2:  # noqa: PLR2004 - no other tag to predict
        return None
    one_word = [tuple(np.array([tag], dtype=np.int64) for tag in side) for side in (present, wrong)]
    return AddedItems(one_word[0], *one_word)


def _joined(values: Predicted, *added: Predicted) -> Predicted:
    if isinstance(values, tuple):
        return values + tuple(item for part in added for item in part)
    return np.concatenate([values, *added])
