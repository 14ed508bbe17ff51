"""The linear head: logistic regression for classes, one a label for many labels, ridge regression for numbers.

One head and one selection protocol for every frozen representation, so that rungs differ by their features alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
from numpy.typing import NDArray

from wordworth.representations import selection
from wordworth.representations.blocks import Blocks, Features
from wordworth.representations.heads.folds import FoldPlan, cross_validation, of_frozen
from wordworth.representations.heads.grid_search import GridSearch
from wordworth.representations.heads.head import FoldFeatures, Target
from wordworth.representations.heads.questions import question, said
from wordworth.representations.heads.scaling import Scaling
from wordworth.representations.heads.solver import Precision, columns, solve
from wordworth.representations.heads.steady import STEADY
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind

_LINEAR_METRICS = frozenset({"accuracy", "token_accuracy", "spearman", "pearson", "r2"})
"""Metrics that weigh every item alike: for them, rare classes are never weighed up."""
_USUAL = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What is selected: the view, C, and whether rare classes weigh as much as common ones."""

    view: str
    strength: float
    balanced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearHead:
    """L2-regularised linear models over views x regularisation (x class weights, for metrics that care).

    Attributes:
        strengths: C of `C * sum of losses + |w|^2 / 2`, on features whose rows have squared norm one on average.
        screening: the strengths under which views are compared with each other.
        plan: of the cross-validation that candidates are compared by.
        precision: of the solver; a share of the first slope, for an absolute one would call many weak features solved
            before the first step.
    """

    strengths: tuple[float, ...] = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
    screening: tuple[float, ...] = (1.0, 10.0, 100.0)
    plan: FoldPlan = field(default_factory=FoldPlan)
    precision: Precision = field(default_factory=Precision)

    @property
    def kinds(self) -> frozenset[Kind]:
        """Every kind; tags are given to each word by itself."""
        return frozenset({"single", "pair", "regression", "multilabel", "tags"})

    @property
    def most(self) -> int | None:
        """All items take part in a choice."""
        return None

    @property
    def by_chance(self) -> bool:
        """Learning takes no chance."""
        return False

    def weighing(self, target: Target) -> tuple[bool, ...]:
        """Whether rare classes are weighed up: both ways are tried, weighing first, where the metric cares for them."""
        cares = target.metric not in _LINEAR_METRICS and target.kind not in {"regression", "tags"}
        return (True, False) if cares else (False,)

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> Choice:
        """The view, regularisation and class weights that do best by the task's metric on held-out items."""
        weighing = self.weighing(target)
        splits = self.plan.split(target, rng)
        if not splits:
            seen, _ = features(np.arange(len(target)), np.arange(0))
            return Choice(view=next(iter(seen)), strength=_USUAL, balanced=weighing[0])
        search = GridSearch(cross_validation(features, target, splits))
        with STEADY.solving():
            first = [
                Choice(view=view, strength=strength, balanced=weighing[0])
                for view in search.views
                for strength in self.screening
            ]
            view = selection.best(first, search.scores).view if len(search.views) > 1 else search.views[0]
            grid = [
                Choice(view=view, strength=strength, balanced=balanced)
                for balanced in weighing
                for strength in sorted(self.strengths, key=_unusual)
            ]
            return selection.best(grid, lambda grid: _evened(grid, search.scores(grid)))

    def learn(
        self,
        views: Mapping[str, Features],
        target: Target,
        choice: Choice,
        rng: np.random.Generator | None = None,  # noqa: ARG002 - a Head
    ) -> FittedLinear:
        """A linear model on the chosen view from all of the target's items."""
        with STEADY.solving():
            scaling = Scaling.of(views[choice.view])
            model = self._model(scaling(views[choice.view]), target, choice)
        return FittedLinear(choice.view, asdict(choice) | {"converged": model.converged}, scaling, model, target.kind)

    def fit(self, views: Mapping[str, Features], target: Target, rng: np.random.Generator) -> FittedLinear:
        """Choose by cross-validation, then learn from all items: of views that no text teaches."""
        return self.learn(views, target, self.choose(of_frozen(views, target), target, rng))

    def _model(self, features: Blocks, target: Target, choice: Choice) -> Linear:
        asked = question(target)
        weights = np.zeros((features.shape[1], asked.width), np.float32)
        if asked.settled:
            return Linear(weights, asked.constant())
        small, stays = features.compact()
        found = solve(small, asked.loss(choice.strength, balanced=choice.balanced), self.precision)
        few, offsets = asked.spread(columns(found.numbers), found.offsets.reshape(-1))
        weights[stays] = few
        return Linear(weights, offsets, bool(found.converged.all()))


@dataclass(frozen=True, slots=True)
class Linear:
    """`features @ weights + offsets`, float32 [d, k] and float64 [k]; an offset of -inf is a class never seen."""

    weights: NDArray[np.float32]
    offsets: NDArray[np.float64]
    converged: bool = True

    def predictions(self, features: Blocks, kind: Kind, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Predictions of the kind of task, from scaled features."""
        return said(np.asarray(features @ self.weights, dtype=np.float64) + self.offsets, kind, lengths)


@dataclass(frozen=True, slots=True)
class FittedLinear:
    """A linear model on one view."""

    view: str
    chosen: Mapping[str, object]
    scaling: Scaling
    model: Linear
    kind: Kind

    @property
    def parameters(self) -> int:
        """Weights and offsets, without those of classes never seen."""
        seen = int(np.isfinite(self.model.offsets).sum())
        return (len(self.model.weights) + 1) * seen

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Predictions from the chosen view's features."""
        with STEADY.solving():
            return self.model.predictions(self.scaling(features), self.kind, lengths)


def _unusual(strength: float) -> float:
    """How far from the usual strength: where several are equally good, the nearest to it is taken."""
    return abs(math.log(strength / _USUAL))


def _evened(grid: Sequence[Choice], scores: Sequence[float]) -> list[float]:
    """Scores that lean on those of the next weaker and the next stronger candidate, a quarter each.

    Neighbours are nearly the same model, and the best of many noisy scores is often the luckiest.
    """
    evened = dict.fromkeys(grid, 0.0)
    for balanced in {choice.balanced for choice in grid}:
        path = sorted((choice for choice in grid if choice.balanced == balanced), key=lambda choice: choice.strength)
        of_path = np.array([scores[grid.index(choice)] for choice in path])
        weaker, stronger = np.r_[of_path[:1], of_path[:-1]], np.r_[of_path[1:], of_path[-1:]]
        evened |= dict(zip(path, (weaker / 4 + of_path / 2 + stronger / 4).tolist(), strict=True))
    return [evened[choice] for choice in grid]
