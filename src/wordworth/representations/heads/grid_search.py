"""Grid search of the linear head: the cross-validated score of each candidate, a view (feature set) with a value of C.

C is the inverse regularisation strength. Within a fold, the solver starts each model from the solution for the same
view and the nearest C solved so far. The first model of a view has no such solution; if the fold has many scores (items
times classes), it starts from the scores of a model of another view. All logit adjustments of a candidate are scored on
the same fitted model.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Blocks, Scaling
from wordworth.representations.heads.cross_validation import Fold, held_out_score
from wordworth.representations.heads.linear_problems import problem_of, to_predictions
from wordworth.representations.heads.logit_adjustment import NONE, LogitAdjustment, weighs_items_equally
from wordworth.representations.heads.newton_cg import Precision, Start, columns, solve
from wordworth.representations.heads.prediction_sets import fit_calibration
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration, calibrated_log_loss
from wordworth.representations.lazy_feature_sets import Lazy

Floats = NDArray[np.float64]

_SEARCH = Precision(steps=60)
_MANY_SCORES = 20_000
"""Number of scores (items times classes) from which the first model of a view starts from another view's scores. The
start changes a solution within the solver's tolerance, which on few items could change the metric visibly."""


class Candidate(NamedTuple):
    """A setting that the grid search scores: the name of a view (feature set), and a regularisation strength C."""

    view: str
    strength: float


class GridSearch:
    """A search for the best view (feature set) and inverse regularisation strength C, by scores on the same folds.

    Args:
        folds: the folds of the training labels.
        taus: strengths of the logit adjustment under which each candidate (a view with a value of C) is scored.
        precision: the stopping rule of the solver; coarser than the final model's, as only held-out scores are
            compared.
    """

    def __init__(self, folds: Sequence[Fold], taus: Sequence[float] = NONE, precision: Precision = _SEARCH) -> None:
        self.folds, self.taus, self.precision = folds, taus, precision
        self._problems = [problem_of(fold.training.target) for fold in folds]
        self._designs = [Lazy({view: partial(_scaled, fold, view) for view in fold.training.views}) for fold in folds]
        self._adjustments = [[LogitAdjustment.of(fold.training.target, tau) for fold in folds] for tau in taus]
        self._scores: dict[Candidate, Floats] = {}
        self._held_out: dict[Candidate, Sequence[Floats]] = {}
        self._losses: dict[Candidate, Floats] = {}
        self._starts: list[dict[Candidate, Start]] = [{} for _ in folds]

    @property
    def views(self) -> tuple[str, ...]:
        """Names of the views (feature sets) that candidates may read."""
        return tuple(self.folds[0].training.views)

    def scores(self, candidates: Sequence[Candidate]) -> Floats:
        """Return the metric of each candidate under each strength of the logit adjustment, float64 [candidates, taus].

        A candidate is a view (feature set) with a regularisation strength. Its metric is measured on all held-out
        items. Each candidate is fitted only once in each fold.
        """
        new = [candidate for candidate in dict.fromkeys(candidates) if candidate not in self._scores]
        fold_results = [self._held_out_scores(fold, new) for fold in range(len(self.folds))]
        for candidate, fold_scores in zip(new, zip(*fold_results, strict=True), strict=True):
            self._scores[candidate] = self._metrics(fold_scores)
            self._held_out[candidate] = fold_scores
        return np.array([self._scores[candidate] for candidate in candidates])

    def selection_scores(self, candidates: Sequence[Candidate]) -> Floats:
        """Return the scores by which candidates are compared, float64 [candidates, taus]; more is better.

        If items have one class each and the metric weighs them equally, as accuracy does, the selection score is the
        metric less the log loss in nats per item, after temperature scaling. Of a few hundred held-out items, the log
        loss varies less than the metric: it depends on how near an item is to the right class, and not only on the side
        of the boundary. For other metrics the selection score is the metric, since the log loss would favour frequent
        classes.
        """
        scores = self.scores(candidates)
        target = self.folds[0].held_out.target
        if not target.type.multiclass or not weighs_items_equally(target):
            return scores
        return np.asarray(scores - np.array([self._log_losses(candidate) for candidate in candidates]))

    def calibration(self, candidate: Candidate, tau: float = 0.0, folds: int | None = None) -> Calibration:
        """Fit the temperature that turns a candidate's scores into probabilities, on its held-out scores.

        Only tasks with one class per text have such a temperature.

        Args:
            candidate: a view (feature set) with a value of C, which `scores` has scored.
            tau: strength of the logit adjustment of the scores that will become probabilities.
            folds: the number of folds of one division of the items; only these first folds are used, so that each item
                counts once. None uses all folds.
        """
        once = self.folds[:folds]
        targets = [fold.held_out.target for fold in once]
        if not targets[0].type.multiclass:
            return NOT_CALIBRATED
        adjustments = [LogitAdjustment.of(fold.training.target, tau) for fold in once]
        adjusted = _adjusted(self._held_out[candidate][:folds], adjustments)
        return fit_calibration(adjusted, [np.asarray(target.labels) for target in targets])

    def _log_losses(self, candidate: Candidate) -> Floats:
        """Return a candidate's held-out log loss under each tau, in nats per item, float64 [taus]."""
        if candidate not in self._losses:
            gold = [np.asarray(fold.held_out.target.labels) for fold in self.folds]
            under_taus = (_adjusted(self._held_out[candidate], adjustments) for adjustments in self._adjustments)
            self._losses[candidate] = np.array([calibrated_log_loss(adjusted, gold) for adjusted in under_taus])
        return self._losses[candidate]

    def _metrics(self, scores: Sequence[Floats]) -> Floats:
        """Return the metric under each tau, float64 [taus], from one candidate's held-out scores of each fold."""
        metrics = []
        for adjustments in self._adjustments:
            predictions = [
                to_predictions(adjusted, fold.held_out.target.kind, fold.held_out.target.lengths)
                for fold, adjusted in zip(self.folds, _adjusted(scores, adjustments), strict=True)
            ]
            metrics.append(held_out_score(self.folds, predictions))
        return np.array(metrics)

    def _held_out_scores(self, number: int, candidates: Sequence[Candidate]) -> list[Floats]:
        """Return each candidate's held-out scores in fold `number`, fitted from the smallest C to the largest."""
        scores_of = {
            candidate: self._fit(number, candidate)
            for candidate in sorted(candidates, key=lambda candidate: candidate.strength)
        }
        return [scores_of[candidate] for candidate in candidates]

    def _fit(self, number: int, candidate: Candidate) -> Floats:
        """Fit a candidate in fold `number`; return its held-out scores [rows, classes]."""
        problem = self._problems[number]
        training, held_out = self._designs[number][candidate.view]
        if problem.is_trivial:
            return np.tile(problem.constant(), (len(held_out), 1))
        model = solve(training, problem.loss(candidate.strength), self.precision, self._start(number, candidate))
        self._starts[number][candidate] = model.start
        scores = held_out @ columns(model.weights) + model.offsets.reshape(-1)
        wide, offsets = problem.expand(scores, np.zeros(scores.shape[1], np.float32))
        return np.asarray(wide + offsets, dtype=np.float64)

    def _start(self, number: int, candidate: Candidate) -> Start | None:
        """Return the nearest solution of a fold, one of the candidate's view if there is any."""
        starts = self._starts[number]
        if not starts:
            return None
        near = min(starts, key=lambda other: (other.view != candidate.view, _distance(other, candidate)))
        start = starts[near]
        if near.view == candidate.view:
            return start
        return replace(start, variables=None) if start.scores.size >= _MANY_SCORES else None


def _adjusted(scores: Sequence[Floats], adjustments: Sequence[LogitAdjustment]) -> list[Floats]:
    """Return the held-out scores of each fold after the fold's logit adjustment."""
    return [adjust(of_fold) for adjust, of_fold in zip(adjustments, scores, strict=True)]


def _distance(first: Candidate, second: Candidate) -> float:
    """Return the distance between the values of C of two candidates, on a log scale."""
    return abs(math.log(first.strength / second.strength))


def _scaled(fold: Fold, view: str) -> tuple[Blocks, Blocks]:
    """Return a view of the training and of the held-out items, scaled by the training items."""
    features = fold.training.views[view]
    scaling = Scaling.of(features)
    return scaling(features), scaling(fold.held_out.views[view])
