"""Linear models of the folds of a cross-validation: fold by fold, or the models of many small folds in one batch.

Within a fold, the solver starts each model from the solution for the same view (feature set) and the nearest C solved
so far; C is the inverse regularisation strength. The first model of a view has no such solution; if the fold has many
scores (items times classes), it starts from the scores of a model of another view.

A small fold takes less time to compute than to call the solver. The models of such folds are therefore fitted in one
batch from the inner products of their items (`Grams`), with the same steps as one after another.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Blocks, Scaling
from wordworth.representations.heads.cross_validation import Fold
from wordworth.representations.heads.linear_losses import Loss, stacked
from wordworth.representations.heads.linear_problems import problem_of
from wordworth.representations.heads.newton_cg import Grams, Precision, Start, columns, solve
from wordworth.representations.lazy_feature_sets import Lazy
from wordworth.representations.row_products import RowProducts

Floats = NDArray[np.float64]

MOST_ITEMS_IN_BATCH = 512
"""The most training items of a fold whose models are fitted in a batch. With more, the inner products take longer than
the solver's calls."""
_MANY_SCORES = 20_000
"""Number of scores (items times classes) from which the first model of a view starts from another view's scores. The
start changes a solution within the solver's tolerance, which on few items could change the metric visibly."""


class Candidate(NamedTuple):
    """A setting that the grid search scores: the name of a view (feature set), and a regularisation strength C."""

    view: str
    strength: float


class FoldModels:
    """The models of all folds, fitted candidate by candidate.

    Args:
        folds: the folds of the training labels.
        precision: the stopping rule of the solver.
        most_in_batch: the most training items of a fold whose models are fitted in a batch; 0 fits each fold alone.
    """

    def __init__(self, folds: Sequence[Fold], precision: Precision, most_in_batch: int = MOST_ITEMS_IN_BATCH) -> None:
        self.precision = precision
        self._folds = [_SingleFold(fold, precision) for fold in folds]
        alike: dict[Hashable, dict[int, _SingleFold]] = {}
        for number, fold in enumerate(self._folds):
            if fold.is_small(most_in_batch):
                alike.setdefault(fold.form, {})[number] = fold
        self._groups = [group for group in alike.values() if len(group) > 1]
        self._losses = [stacked([fold.loss for fold in group.values()]) for group in self._groups]
        self._batches: dict[str, list[_Batch]] = {}

    def held_out_scores(self, candidate: Candidate) -> list[Floats]:
        """Fit a candidate in every fold; return the scores of each fold's held-out items, float64 [rows, classes]."""
        if candidate.view not in self._batches:
            self._batches[candidate.view] = [
                _Batch(candidate.view, group, loss, self.precision)
                for group, loss in zip(self._groups, self._losses, strict=True)
            ]
        in_batches: dict[int, Floats] = {}
        for batch in self._batches[candidate.view]:
            in_batches |= batch.fit(candidate.strength)
        return [
            in_batches[number] if number in in_batches else fold.fit(candidate)
            for number, fold in enumerate(self._folds)
        ]


class _SingleFold:
    """A fold, whose models are fitted one after another."""

    def __init__(self, fold: Fold, precision: Precision) -> None:
        self.problem, self.precision = problem_of(fold.training.target), precision
        self.loss = self.problem.loss(1.0)
        self._row_products = RowProducts()
        self.design = Lazy({view: partial(self._scaled, fold, view) for view in fold.training.views})
        self._starts: dict[Candidate, Start] = {}

    @property
    def form(self) -> Hashable:
        """The form of the fold's loss, which all folds of a batch must have."""
        return type(self.loss), self.loss.prior().shape

    def is_small(self, most: int) -> bool:
        """Return whether the fold has at most `most` training items, and not many scores in all."""
        items = self.loss.items
        return not self.problem.is_trivial and items <= most and items * self.problem.width < _MANY_SCORES

    def fit(self, candidate: Candidate) -> Floats:
        """Fit a candidate; return its held-out scores, float64 [rows, classes]."""
        training, held_out = self.design[candidate.view]
        if self.problem.is_trivial:
            return np.tile(self.problem.constant(), (len(held_out), 1))
        model = solve(training, self.loss.times(candidate.strength), self.precision, self._start(candidate))
        self._starts[candidate] = model.start
        return self.expand(held_out @ columns(model.weights) + model.offsets.reshape(-1))

    def expand(self, scores: NDArray[np.float32]) -> Floats:
        """Return the scores of all classes, float64 [rows, classes], from those that the solver learned, [rows, k]."""
        wide, offsets = self.problem.expand(scores, np.zeros(scores.shape[1], np.float32))
        return np.asarray(wide + offsets, dtype=np.float64)

    def _start(self, candidate: Candidate) -> Start | None:
        """Return the solution of an earlier candidate from which the solver starts; None if it starts at zero weights.

        Of the solutions for the candidate's view, the one with the nearest C is returned. If there are none, and the
        fold has many scores, it is a solution for another view, without `variables`.
        """
        if not self._starts:
            return None
        near = min(
            self._starts,
            key=lambda other: (other.view != candidate.view, _distance(other.strength, candidate.strength)),
        )
        start = self._starts[near]
        if near.view == candidate.view:
            return start
        return replace(start, variables=None) if start.scores.size >= _MANY_SCORES else None

    def inner_products(self, view: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the inner products of a view's rows: of training items with each other, and of held-out with training.

        Args:
            view: the name of the view (feature set).

        Returns:
            float32 [training items, training items] and [held-out items, training items].
        """
        training, held_out = self.design[view]
        products = self._row_products
        return training.inner_products(training, products), held_out.inner_products(training, products)

    def _scaled(self, fold: Fold, view: str) -> tuple[Blocks, Blocks]:
        """Return a view of the training and of the held-out items, scaled by the training items."""
        features = fold.training.views[view]
        scaling = Scaling.of(features)
        return scaling(features).with_row_products(self._row_products), scaling(fold.held_out.views[view])


class _Batch:
    """Small folds whose models of one view are fitted at once.

    Args:
        view: the name of the view (feature set).
        folds: index of the fold -> the fold; all have losses of one form.
        loss: the losses of all folds, stacked.
        precision: the stopping rule of the solver.
    """

    def __init__(self, view: str, folds: Mapping[int, _SingleFold], loss: Loss, precision: Precision) -> None:
        self.folds, self.loss, self.precision = folds, loss, precision
        products = [fold.inner_products(view) for fold in folds.values()]
        most = max(len(gram) for gram, _ in products)
        self.grams = Grams(np.zeros((len(folds), most, most), np.float32))
        for matrix, (gram, _) in zip(self.grams.matrices, products, strict=True):
            matrix[: len(gram), : len(gram)] = gram
        self.held_out = [held_out for _, held_out in products]
        self._starts: dict[float, Start] = {}

    def fit(self, strength: float) -> dict[int, Floats]:
        """Fit the models for a C; return index of the fold -> scores of held-out items, float64 [items, classes]."""
        near = min(self._starts, key=lambda other: _distance(other, strength), default=None)
        start = None if near is None else self._starts[near]
        model = solve(self.grams, self.loss.times(strength), self.precision, start)
        self._starts[strength] = model.start
        by_fold = zip(
            self.folds.items(),
            self.held_out,
            np.split(model.variables, len(self.folds), axis=1),
            np.split(model.offsets, len(self.folds)),
            strict=True,
        )
        return {
            number: fold.expand(held_out @ columns(coefficients)[: held_out.shape[1]] + offsets.reshape(-1))
            for (number, fold), held_out, coefficients, offsets in by_fold
        }


def _distance(first: float, second: float) -> float:
    """Return the distance between two values of C on a log scale."""
    return abs(math.log(first / second))
