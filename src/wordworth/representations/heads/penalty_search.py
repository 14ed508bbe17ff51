"""Choice of a CRF's penalty: hill climbing over an ordered list, by cross-validation.

Every CRF is trained from zero, as the final one will be: from another's solution it ends elsewhere, and its score moves
by up to 0.4 points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_matrix

from wordworth.representations.feature_blocks import Features
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.folds import Fold, held_out_score
from wordworth.representations.heads.linear_chain_model import Lesson, Search
from wordworth.representations.rung import Predictions


@dataclass(frozen=True, slots=True)
class PenaltySearch:
    """Penalties compared on the same folds.

    Attributes:
        folds: of the training sentences.
        search: settings of the optimisation of the weights.
    """

    folds: Sequence[Fold]
    search: Search
    known: dict[tuple[str, float], float] = field(default_factory=dict, repr=False)
    trials: dict[tuple[str, int], _Trial] = field(default_factory=dict, repr=False)

    @property
    def views(self) -> tuple[str, ...]:
        """Names of the views that a CRF may read."""
        return tuple(self.folds[0].training.views)

    def best(self, view: str, penalties: Sequence[float], usual: float) -> float:
        """Return the best penalty for a view, of those met on the way uphill from the usual one."""
        return uphill(penalties, nearest(penalties, usual), lambda penalty: self.score(view, penalty))

    def score(self, view: str, penalty: float) -> float:
        """Return the task's metric on all held-out sentences; each candidate is fitted once and cached."""
        if (view, penalty) not in self.known:
            answers = [self._trial(view, number).answers(penalty) for number in range(len(self.folds))]
            self.known[view, penalty] = held_out_score(self.folds, answers)
        return self.known[view, penalty]

    def _trial(self, view: str, number: int) -> _Trial:
        if (view, number) not in self.trials:
            self.trials[view, number] = _Trial(self.folds[number], view, self.search)
        return self.trials[view, number]


class _Trial:
    """One view of one fold."""

    def __init__(self, fold: Fold, view: str, search: Search) -> None:
        self.lesson = lesson(fold.training.views[view], fold.training.target)
        self.search, self.lengths = search, fold.held_out.target.lengths
        self.features = csr_matrix(fold.held_out.views[view])

    def answers(self, penalty: float) -> Predictions:
        """Return the predictions for the held-out sentences of a CRF trained on the others."""
        assert self.lengths is not None  # noqa: S101 - a lesson has asked for them
        return self.lesson.learn(penalty, self.search).predict(self.features, self.lengths)


def lesson(features: Features, target: Target) -> Lesson:
    """Build the training problem of the target's sentences."""
    assert target.lengths is not None, "tags come with the words of each sentence"  # noqa: S101 - by the contract
    return Lesson(csr_matrix(features), np.concatenate([np.zeros(0, np.int64), *target.labels]), target.lengths)


def uphill(points: Sequence[float], start: float, score: Callable[[float], float]) -> float:
    """Return a point without a better neighbour, met on the way from `start` down the list and then up it.

    >>> uphill([0, 1, 2, 3, 4], 2, [9, 1, 4, 3, 8].__getitem__)
    2
    """
    index = points.index(start)
    for step in (-1, 1):
        while 0 <= index + step < len(points) and score(points[index + step]) > score(points[index]):
            index += step
    return points[index]


def nearest(penalties: Collection[float], penalty: float) -> float:
    """Return the penalty whose ratio to `penalty` is closest to 1."""
    return min(penalties, key=lambda other: abs(math.log(other / penalty)))
