"""Grid search of the linear head: the held-out score of each candidate by cross-validation.

Within a fold, the models of one view are solved one after another, each starting from the solution with stronger
regularisation. One model serves every logit adjustment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Blocks, Scaling
from wordworth.representations.heads.cross_validation import Fold, held_out_score
from wordworth.representations.heads.linear_problems import Problem, problem_of, to_predictions
from wordworth.representations.heads.logit_adjustment import NONE, LogitAdjustment
from wordworth.representations.heads.newton_cg import Precision, Solution, columns, solve

Floats = NDArray[np.float64]


_SEARCH = Precision(steps=60)


class Candidate(NamedTuple):
    """A model to compare: the view it reads and its C."""

    view: str
    strength: float


class GridSearch:
    """Candidates compared on the same folds.

    Args:
        folds: of the training labels.
        taus: logit adjustments under which each candidate is scored.
        precision: of the solver; lower than the final model's, as only held-out scores are compared.
    """

    def __init__(self, folds: Sequence[Fold], taus: Sequence[float] = NONE, precision: Precision = _SEARCH) -> None:
        self.folds, self.taus, self.precision = folds, taus, precision
        self._designs = [_Designs(fold) for fold in folds]
        self._adjustments = [[LogitAdjustment.of(fold.training.target, tau) for fold in folds] for tau in taus]
        self._scores: dict[Candidate, Floats] = {}

    @property
    def views(self) -> tuple[str, ...]:
        """Names of the views that candidates may read."""
        return tuple(self.folds[0].training.views)

    def scores(self, candidates: Sequence[Candidate]) -> Floats:
        """Return float64 [candidates, taus]: the task's metric on all held-out items; each candidate is fitted once."""
        new = [candidate for candidate in dict.fromkeys(candidates) if candidate not in self._scores]
        answers = [self._answers(fold, new) for fold in range(len(self.folds))]
        for candidate, fold_scores in zip(new, zip(*answers, strict=True), strict=True):
            self._scores[candidate] = self._judged(fold_scores)
        return np.array([self._scores[candidate] for candidate in candidates])

    def _judged(self, scores: Sequence[Floats]) -> Floats:
        """Return the metric under each tau, float64 [taus], of one candidate's held-out scores of each fold."""
        metrics = []
        for adjustments in self._adjustments:
            answers = [
                to_predictions(adjust(fold_scores), fold.held_out.target.kind, fold.held_out.target.lengths)
                for fold, adjust, fold_scores in zip(self.folds, adjustments, scores, strict=True)
            ]
            metrics.append(held_out_score(self.folds, answers))
        return np.array(metrics)

    def _answers(self, number: int, candidates: Sequence[Candidate]) -> list[Floats]:
        """Return each candidate's held-out scores in a fold; stronger regularisation first, as a warm start."""
        designs, problem = self._designs[number], problem_of(self.folds[number].training.target)
        answers: dict[Candidate, Floats] = {}
        near: dict[str, Solution | None] = {}
        for candidate in sorted(candidates, key=lambda candidate: candidate.strength):
            view = candidate.view
            answers[candidate], near[view] = self._learned(problem, designs[view], candidate.strength, near.get(view))
        return [answers[candidate] for candidate in candidates]

    def _learned(
        self, problem: Problem, design: tuple[Blocks, Blocks], strength: float, near: Solution | None
    ) -> tuple[Floats, Solution | None]:
        """Return held-out scores [rows, classes] of a candidate, and its model."""
        training, held_out = design
        if problem.is_trivial:
            return np.tile(problem.constant(), (len(held_out), 1)), None
        model = solve(training, problem.loss(strength), self.precision, near)
        scores = held_out @ columns(model.numbers) + model.offsets.reshape(-1)
        wide, offsets = problem.expand(scores, np.zeros(scores.shape[1], np.float32))
        return np.asarray(wide + offsets, dtype=np.float64), model


@dataclass(slots=True)
class _Designs:
    """The views of a fold as training and held-out blocks, scaled by the training items when first used."""

    fold: Fold
    scaled: dict[str, tuple[Blocks, Blocks]] = field(default_factory=dict)

    def __getitem__(self, view: str) -> tuple[Blocks, Blocks]:
        if view not in self.scaled:
            features = self.fold.training.views[view]
            scaling = Scaling.of(features)
            self.scaled[view] = scaling(features), scaling(self.fold.held_out.views[view])
        return self.scaled[view]
