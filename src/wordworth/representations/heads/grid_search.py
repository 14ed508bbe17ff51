"""Grid search of the linear head: the held-out score of each candidate by honest cross-validation.

Within a fold, the models of one view are solved one after another, each from where the weaker one ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.representations.blocks import Blocks
from wordworth.representations.heads.folds import Fold, held_out_score
from wordworth.representations.heads.questions import Question, question, said
from wordworth.representations.heads.scaling import Scaling
from wordworth.representations.heads.solver import Precision, Solution, columns, solve
from wordworth.representations.rung import Predictions


class Candidate(Protocol):
    """What a linear head may choose."""

    @property
    def view(self) -> str:
        """The view it reads."""
        ...

    @property
    def strength(self) -> float:
        """C."""
        ...

    @property
    def balanced(self) -> bool:
        """Whether rare classes weigh as much as common ones."""
        ...


@dataclass(frozen=True, slots=True)
class GridSearch:
    """Candidates compared on the same folds.

    Attributes:
        folds: of the training labels.
        precision: of the solver; less than the final model has, for only held-out scores are compared.
    """

    folds: Sequence[Fold]
    precision: Precision = field(default_factory=lambda: Precision(tolerance=1e-2, steps=60))
    designs: dict[int, _Designs] = field(default_factory=dict, repr=False)
    known: dict[Candidate, float] = field(default_factory=dict, repr=False)

    @property
    def views(self) -> tuple[str, ...]:
        """The views that candidates may read."""
        return tuple(self.folds[0].training.views)

    def scores(self, candidates: Sequence[Candidate]) -> list[float]:
        """The task's metric of each candidate on all held-out items; each is tried once, however often it is asked."""
        new = [candidate for candidate in dict.fromkeys(candidates) if candidate not in self.known]
        answers = [self._answers(number, new) for number in range(len(self.folds))]
        for candidate, of_one in zip(new, zip(*answers, strict=True), strict=True):
            self.known[candidate] = held_out_score(self.folds, of_one)
        return [self.known[candidate] for candidate in candidates]

    def _answers(self, number: int, candidates: Sequence[Candidate]) -> list[Predictions]:
        """Predictions of a fold's held-out items by each candidate; the weaker go first and lead the way."""
        fold, designs = self.folds[number], self.designs.setdefault(number, _Designs(self.folds[number]))
        asked = question(fold.training.target)
        answers: dict[int, Predictions] = {}
        near: dict[tuple[str, bool], Solution | None] = {}
        for place in sorted(range(len(candidates)), key=lambda place: candidates[place].strength):
            candidate = candidates[place]
            path = candidate.view, candidate.balanced
            scores, near[path] = self._learned(asked, designs[candidate.view], candidate, near.get(path))
            answers[place] = said(scores, fold.training.target.kind, fold.held_out.target.lengths)
        return [answers[place] for place in range(len(candidates))]

    def _learned(
        self, asked: Question, design: tuple[Blocks, Blocks], candidate: Candidate, near: Solution | None
    ) -> tuple[NDArray[np.float64], Solution | None]:
        """Held-out scores [rows, classes] of a candidate, and its model."""
        training, held_out = design
        if asked.settled:
            return np.tile(asked.constant(), (len(held_out), 1)), None
        model = solve(training, asked.loss(candidate.strength, balanced=candidate.balanced), self.precision, near)
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
