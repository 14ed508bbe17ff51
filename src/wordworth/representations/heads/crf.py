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
from wordworth.representations.heads.head import Target, first
from wordworth.representations.heads.steady import STEADY
from wordworth.representations.rung import Predictions
from wordworth.representations.views import ViewsAt
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
        protocol: how they are compared. The penalty stands against a sum over words and so hardly moves with the
            number of sentences: a thousand of them choose.
        search: how the weights are looked for.
    """

    penalties: tuple[float, ...] = (0.03, 0.003, 0.3)
    protocol: selection.Protocol = field(default_factory=lambda: selection.Protocol(most=1000))
    search: Search = field(default_factory=Search)

    @property
    def kinds(self) -> frozenset[Kind]:
        """Tags only."""
        return frozenset({"tags"})

    @property
    def most(self) -> int:
        """Sentences that a choice is made on."""
        return self.protocol.most

    @property
    def by_chance(self) -> bool:
        """Learning takes no chance."""
        return False

    def choose(self, views: Mapping[str, Features], target: Target, rng: np.random.Generator) -> CrfChoice:
        """The view and penalty that do best by the task's metric, each sentence held out once."""
        points = [CrfChoice(view=view, penalty=penalty) for view in views for penalty in self.penalties]
        if len(target) < 2:  # noqa: PLR2004 - nothing to choose by
            return points[0]
        trial = _Trial(self, views, target, selection.folds(target, rng, self.protocol))
        return selection.best(points, trial.judge)

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
        """Choose on the first `most` sentences, then learn from them all."""
        return self.learn(views, target, self.choose(*first(views, target, self.most), rng))


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


@dataclass(frozen=True, slots=True)
class _Trial:
    """Candidates on trial: each fold is learned and answered as the whole would be."""

    head: LinearChainCrf
    views: Mapping[str, Features]
    target: Target
    folds: NDArray[np.int64]

    def judge(self, candidates: Sequence[CrfChoice]) -> list[float]:
        """The task's metric of each candidate on the held-out sentences of all folds together."""
        return [self._score(candidate) for candidate in candidates]

    def _score(self, candidate: CrfChoice) -> float:
        said: dict[int, NDArray[np.int64]] = {}
        for fold in range(int(self.folds.max()) + 1):
            held = np.flatnonzero(self.folds == fold)
            said.update(zip(held.tolist(), self._answers(candidate, held), strict=True))
        return selection.score(self.target, tuple(said[item] for item in range(len(self.target))))

    def _answers(self, candidate: CrfChoice, held: NDArray[np.int64]) -> Predictions:
        others = np.setdiff1d(np.arange(len(self.target)), held)
        views = ViewsAt(self.views, self.target.feature_rows(others))
        fitted = self.head.learn(views, self.target.take(others), candidate)
        return fitted.predict(
            self.views[candidate.view][self.target.feature_rows(held)], self.target.take(held).lengths
        )
