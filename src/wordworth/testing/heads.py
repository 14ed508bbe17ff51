"""A head by itself: on views that no text teaches."""

from __future__ import annotations

import numpy as np

from wordworth.representations.heads.base import FittedHead, Head, Target, Views
from wordworth.representations.heads.folds import of_frozen


def fit_head(head: Head, views: Views, target: Target, rng: np.random.Generator) -> FittedHead:
    """Choose on the first `Head.most` items, then learn from all of them, as a rung does.

    Args:
        head: which chooses and learns.
        views: of the target's items; of their words, for tags.
        target: the labels.
        rng: what is left to chance is drawn from it.
    """
    some = target.take(np.arange(len(target))[: head.most])
    return head.learn(views, target, head.choose(of_frozen(views, target), some, rng), rng)
