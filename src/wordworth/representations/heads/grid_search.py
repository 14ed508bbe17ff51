"""Grid search of the linear head: the cross-validated score of each candidate, a view (feature set) with a value of C.

C is the inverse regularisation strength. All logit adjustments of a candidate are scored on the same fitted model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.heads.cross_validation import Fold, held_out_score
from wordworth.representations.heads.fold_models import Candidate, FoldModels
from wordworth.representations.heads.linear_problems import to_predictions
from wordworth.representations.heads.logit_adjustment import NONE, LogitAdjustment, weighs_items_equally
from wordworth.representations.heads.newton_cg import Precision
from wordworth.representations.heads.prediction_sets import fit_calibration
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration, calibrated_log_loss

Floats = NDArray[np.float64]

_SEARCH = Precision(steps=60)


class GridSearch:
    """A search for the best view (feature set) and inverse regularisation strength C, by scores on the same folds.

    Args:
        folds: the folds of the training labels.
        taus: strengths of the logit adjustment under which each candidate (a view with a value of C) is scored.
        precision: the stopping rule of the solver; fewer steps than for the final model, as only held-out scores are
            compared. With a coarser tolerance other settings would be chosen in half of the cases.
        on_fit: called whenever a further candidate has been fitted in all folds.
    """

    def __init__(
        self,
        folds: Sequence[Fold],
        taus: Sequence[float] = NONE,
        precision: Precision = _SEARCH,
        on_fit: Callable[[], None] = lambda: None,
    ) -> None:
        self.folds, self.taus, self._on_fit = folds, taus, on_fit
        self._models = FoldModels(folds, precision)
        self._adjustments = [[LogitAdjustment.of(fold.training.target, tau) for fold in folds] for tau in taus]
        self._scores: dict[Candidate, Floats] = {}
        self._held_out: dict[Candidate, Sequence[Floats]] = {}
        self._losses: dict[Candidate, Floats] = {}

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
        for candidate in sorted(new, key=lambda candidate: candidate.strength):
            self._held_out[candidate] = self._models.held_out_scores(candidate)
            self._scores[candidate] = self._metrics(self._held_out[candidate])
            self._on_fit()
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


def _adjusted(scores: Sequence[Floats], adjustments: Sequence[LogitAdjustment]) -> list[Floats]:
    """Return the held-out scores of each fold after the fold's logit adjustment."""
    return [adjust(of_fold) for adjust, of_fold in zip(adjustments, scores, strict=True)]
