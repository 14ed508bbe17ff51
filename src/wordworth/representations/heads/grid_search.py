"""Grid search of the linear head: the held-out score of each candidate by honest cross-validation.

Within a fold, the models of one view are solved one after another, each from where the weaker one ended. One model
serves every logit adjustment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.feature_blocks import Blocks
from wordworth.representations.heads.folds import Fold, held_out_score
from wordworth.representations.heads.linear_problems import Question, question, to_predictions
from wordworth.representations.heads.logit_adjustment import NONE, LogitAdjustment
from wordworth.representations.heads.newton_cg import Precision, Solution, columns, solve
from wordworth.representations.heads.standardize import Scaling

Floats = NDArray[np.float64]


class Candidate(NamedTuple):
    """A model that is compared with others: the view it reads and its C."""

    view: str
    strength: float


@dataclass(frozen=True, slots=True)
class GridSearch:
    """Candidates compared on the same folds.

    Attributes:
        folds: of the training labels.
        taus: logit adjustments that each candidate is scored under.
        precision: of the solver; less than the final model has, for only held-out scores are compared.
    """

    folds: Sequence[Fold]
    taus: Sequence[float] = NONE
    precision: Precision = field(default_factory=lambda: Precision(tolerance=1e-2, steps=60))
    _designs: dict[int, _Designs] = field(default_factory=dict, repr=False)
    _scores: dict[Candidate, Floats] = field(default_factory=dict, repr=False)
    _adjustments: list[list[LogitAdjustment]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Count the classes of each fold once, not once a candidate: for each tau the adjustment of each fold."""
        each = [[LogitAdjustment.of(fold.training.target, tau) for fold in self.folds] for tau in self.taus]
        object.__setattr__(self, "_adjustments", each)

    @property
    def views(self) -> tuple[str, ...]:
        """The views that candidates may read."""
        return tuple(self.folds[0].training.views)

    def scores(self, candidates: Sequence[Candidate]) -> Floats:
        """float64 [candidates, taus]: the task's metric on all held-out items; a candidate is tried only once."""
        new = [candidate for candidate in dict.fromkeys(candidates) if candidate not in self._scores]
        answers = [self._answers(number, new) for number in range(len(self.folds))]
        for candidate, of_one in zip(new, zip(*answers, strict=True), strict=True):
            self._scores[candidate] = self._judged(of_one)
        return np.array([self._scores[candidate] for candidate in candidates])

    def _judged(self, scores: Sequence[Floats]) -> Floats:
        """The metric under each tau, float64 [taus], of one candidate's held-out scores of each fold."""
        judged = []
        for adjustments in self._adjustments:
            answers = [
                to_predictions(adjusted(of_fold), fold.held_out.target.kind, fold.held_out.target.lengths)
                for fold, adjusted, of_fold in zip(self.folds, adjustments, scores, strict=True)
            ]
            judged.append(held_out_score(self.folds, answers))
        return np.array(judged)

    def _answers(self, number: int, candidates: Sequence[Candidate]) -> list[Floats]:
        """Scores of a fold's held-out rows by each candidate; the weaker go first and lead the way."""
        fold = self.folds[number]
        designs = self._designs.setdefault(number, _Designs(fold))
        asked = question(fold.training.target)
        answers: dict[Candidate, Floats] = {}
        near: dict[str, Solution | None] = {}
        for candidate in sorted(candidates, key=lambda candidate: candidate.strength):
            view = candidate.view
            answers[candidate], near[view] = self._learned(asked, designs[view], candidate.strength, near.get(view))
        return [answers[candidate] for candidate in candidates]

    def _learned(
        self, asked: Question, design: tuple[Blocks, Blocks], strength: float, near: Solution | None
    ) -> tuple[Floats, Solution | None]:
        """Held-out scores [rows, classes] of a candidate, and its model."""
        training, held_out = design
        if asked.settled:
            return np.tile(asked.constant(), (len(held_out), 1)), None
        model = solve(training, asked.loss(strength), self.precision, near)
        scores = held_out @ columns(model.numbers) + model.offsets.reshape(-1)
        wide, offsets = asked.spread(scores, np.zeros(scores.shape[1], np.float32))
        return np.asarray(wide + offsets, dtype=np.float64), model


@dataclass(slots=True)
class _Designs:
    """The views of a fold as training and held-out blocks, scaled by the training items when they are first read."""

    fold: Fold
    scaled: dict[str, tuple[Blocks, Blocks]] = field(default_factory=dict)

    def __getitem__(self, view: str) -> tuple[Blocks, Blocks]:
        if view not in self.scaled:
            features = self.fold.training.views[view]
            scaling = Scaling.of(features)
            self.scaled[view] = scaling(features), scaling(self.fold.held_out.views[view])
        return self.scaled[view]
