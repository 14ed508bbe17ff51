"""The tagging head of the counts rung: a linear-chain CRF over sparse features (Lafferty et al. 2001)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.representations import model_selection
from wordworth.representations.feature_blocks import Features
from wordworth.representations.heads.base import FoldFeatures, Target, Views, first_view
from wordworth.representations.heads.blas_threads import STEADY
from wordworth.representations.heads.folds import FoldPlan, cross_validation
from wordworth.representations.heads.linear_chain_model import ChainModel, Search
from wordworth.representations.heads.penalty_search import PenaltySearch, lesson, nearest
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class CrfChoice:
    """The selected view and penalty."""

    view: str
    penalty: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearChainCrf:
    """A linear-chain CRF over the views' features, its weights penalised by `penalty * |w|^2`.

    There is a weight for each feature and tag that were seen together, and for each tag after a tag; tags that are not
    in the training labels are never predicted.

    Attributes:
        penalties: candidates, in order.
        usual: the search goes uphill from here, as scores of few sentences have chance peaks, and tries the ends of the
            list only where they may pay off; it is also the choice where nothing can be compared.
        plan: of the cross-validation that they are compared by.
        search: settings of the optimisation of the weights.
    """

    penalties: tuple[float, ...] = (0.003, 0.03, 0.3, 1.0, 3.0)
    usual: float = 0.03
    plan: FoldPlan = field(default_factory=lambda: FoldPlan(folds=3))
    search: Search = field(default_factory=Search)

    @property
    def kinds(self) -> frozenset[Kind]:
        """Tags only."""
        return frozenset({"tagging"})

    @property
    def most(self) -> int | None:
        """None: all sentences take part in a choice."""
        return None

    @property
    def by_chance(self) -> bool:
        """False: learning is deterministic."""
        return False

    def num_learned(self, width: int, target: Target, views: Callable[[], Views]) -> int:  # noqa: ARG002 - a Weighed
        """Return the weights of the largest view: of features and tags seen together, and of tags after tags."""
        return max(lesson(features, target).size for features in views().values())

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> CrfChoice:
        """Choose the view and penalty that are best by the task's metric on held-out sentences."""
        splits = self.plan.split(target, rng)
        if not splits:
            return CrfChoice(view=first_view(features, target), penalty=nearest(self.penalties, self.usual))
        with STEADY.solving():
            tried = PenaltySearch(cross_validation(features, target, splits), self.search)
            ways = [CrfChoice(view=view, penalty=tried.best(view, self.penalties, self.usual)) for view in tried.views]
            return model_selection.best(ways, lambda ways: [tried.score(way.view, way.penalty) for way in ways])

    def learn(
        self,
        views: Mapping[str, Features],
        target: Target,
        choice: CrfChoice,
        rng: np.random.Generator | None = None,  # noqa: ARG002 - a Head
    ) -> FittedCrf:
        """Train a CRF on the chosen view of all of the target's sentences.

        Args:
            views: of the target's items.
            target: their labels.
            choice: what `choose` returned.
            rng: not used.
        """
        with STEADY.solving():
            model = lesson(views[choice.view], target).learn(choice.penalty, self.search)
        chosen = {"view": choice.view, "penalty": choice.penalty, "converged": model.converged}
        return FittedCrf(choice.view, chosen, model)


@dataclass(frozen=True, slots=True)
class FittedCrf:
    """A trained CRF, and the view it reads."""

    view: str
    chosen: Mapping[str, object]
    model: ChainModel

    @property
    def parameters(self) -> int:
        """Number of learned parameters."""
        return self.model.parameters

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return one int64 [words] array per sentence; a sentence without words gets an empty one."""
        assert lengths is not None, "a tagger needs the words of each sentence"  # noqa: S101 - by the contract
        with STEADY.solving():
            return self.model.predict(csr_matrix(features), lengths)
