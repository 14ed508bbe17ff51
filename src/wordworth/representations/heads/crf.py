"""The tagging head of the counts rung: a linear-chain CRF over sparse features (Lafferty et al. 2001)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.representations import selection
from wordworth.representations.blocks import Features
from wordworth.representations.heads.chain_model import ChainModel, Search, learned
from wordworth.representations.heads.folds import Fold, FoldPlan, cross_validation, held_out_score, of_frozen
from wordworth.representations.heads.head import FoldFeatures, Target
from wordworth.representations.heads.steady import STEADY
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class CrfChoice:
    """What is selected: the view and the penalty."""

    view: str
    penalty: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearChainCrf:
    """A linear-chain CRF over the views' features, its weights penalised by `penalty * |w|^2`.

    A weight stands for a feature and a tag that were seen together, or for a tag after a tag; tags that were not
    learned from are never predicted.

    Attributes:
        penalties: candidates; the first one is taken where there is nothing to choose by.
        plan: of the cross-validation that they are compared by.
        most: so many sentences choose, the first ones. The penalty stands against a sum over words and so hardly moves
            with their number.
        search: how the weights are looked for.
    """

    penalties: tuple[float, ...] = (0.03, 0.003, 0.3)
    plan: FoldPlan = field(default_factory=lambda: FoldPlan(folds=3))
    most: int = 1000
    search: Search = field(default_factory=Search)

    @property
    def kinds(self) -> frozenset[Kind]:
        """Tags only."""
        return frozenset({"tags"})

    @property
    def by_chance(self) -> bool:
        """Learning takes no chance."""
        return False

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> CrfChoice:
        """The view and penalty that do best by the task's metric, each sentence held out once."""
        splits = self.plan.split(target, rng)
        if not splits:
            seen, _ = features(np.arange(len(target)), np.arange(0))
            return CrfChoice(view=next(iter(seen)), penalty=self.penalties[0])
        folds = cross_validation(features, target, splits)
        points = [
            CrfChoice(view=view, penalty=penalty) for view in folds[0].training.views for penalty in self.penalties
        ]
        return selection.best(points, lambda points: [self._score(folds, point) for point in points])

    def _score(self, folds: Sequence[Fold], choice: CrfChoice) -> float:
        """The task's metric on the held-out sentences: every fold is learned and answered as the whole would be."""
        answers = []
        for fold in folds:
            fitted = self.learn(fold.training.views, fold.training.target, choice)
            answers.append(fitted.predict(fold.held_out.views[choice.view], fold.held_out.target.lengths))
        return held_out_score(folds, answers)

    def learn(
        self,
        views: Mapping[str, Features],
        target: Target,
        choice: CrfChoice,
        rng: np.random.Generator | None = None,  # noqa: ARG002 - a Head
    ) -> FittedCrf:
        """A CRF on the chosen view from all of the target's sentences."""
        assert target.lengths is not None, "tags come with the words of each sentence"  # noqa: S101 - by the contract
        tags = np.concatenate([np.zeros(0, np.int64), *target.labels])
        with STEADY.solving():
            model = learned(csr_matrix(views[choice.view]), tags, target.lengths, choice.penalty, self.search)
        chosen = {"view": choice.view, "penalty": choice.penalty, "converged": model.converged}
        return FittedCrf(choice.view, chosen, model)

    def fit(self, views: Mapping[str, Features], target: Target, rng: np.random.Generator) -> FittedCrf:
        """Choose on the first `most` sentences, then learn from them all: of views that no text teaches."""
        some = target.take(np.arange(min(self.most, len(target))))
        return self.learn(views, target, self.choose(of_frozen(views, target), some, rng))


@dataclass(frozen=True, slots=True)
class FittedCrf:
    """A CRF that has learned, and the view it reads."""

    view: str
    chosen: Mapping[str, object]
    model: ChainModel

    @property
    def parameters(self) -> int:
        """Learned numbers."""
        return self.model.parameters

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """One int64 [words] array a sentence; a sentence without words gets an empty one."""
        assert lengths is not None, "a tagger needs the words of each sentence"  # noqa: S101 - by the contract
        with STEADY.solving():
            return self.model.predict(csr_matrix(features), lengths)
