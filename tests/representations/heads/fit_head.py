"""Fit a head alone, on fixed views that no learner produced."""

from __future__ import annotations

import numpy as np

from wordworth.representations.heads.base import FittedHead, FoldFeatures, Head, Target, Views
from wordworth.representations.lazy_feature_sets import take_rows
from wordworth.tasks.task import Rows
from wordworth.text.corpus.index_ranges import ranges


def feature_rows(target: Target, items: Rows) -> Rows:
    """Return the feature rows of `items`: the same numbers, or for tagging the rows of their words."""
    if target.lengths is None:
        return items
    return ranges((np.cumsum(target.lengths) - target.lengths)[items], target.lengths[items])


def of_frozen(views: Views, target: Target) -> FoldFeatures:
    """Return the `FoldFeatures` of a representation that learns nothing: rows of the same views in every fold."""

    def rows(training: Rows, held_out: Rows) -> tuple[Views, Views]:
        return take_rows(views, feature_rows(target, training)), take_rows(views, feature_rows(target, held_out))

    return rows


def fit_head(head: Head, views: Views, target: Target, rng: np.random.Generator) -> FittedHead:
    """Choose a candidate on the first `Head.max_selection_items` items, then learn from all items, as a rung does.

    Args:
        head: the head to fit.
        views: features of the target's items, or of their words for tags.
        target: the labels.
        rng: source of randomness.
    """
    first_items = target.take(np.arange(len(target))[: head.max_selection_items])
    return head.learn(views, target, head.choose(of_frozen(views, target), first_items, rng), rng)
