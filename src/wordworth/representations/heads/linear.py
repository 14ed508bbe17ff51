"""The linear head: logistic regression for classes, one a label for many labels, ridge regression for numbers.

One head and one selection protocol for every frozen representation, so that rungs differ by their features alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from wordworth.representations import selection
from wordworth.representations.blocks import Blocks, Features
from wordworth.representations.heads.head import Target, first
from wordworth.representations.heads.questions import question, said
from wordworth.representations.heads.scaling import Scaling
from wordworth.representations.heads.solver import Precision, Primal, solve
from wordworth.representations.heads.steady import STEADY
from wordworth.representations.heads.trial import Trial
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind

_LINEAR_METRICS = frozenset({"accuracy", "token_accuracy", "spearman", "pearson", "r2"})
"""Metrics that weigh every item alike: for them, rare classes are never weighed up."""


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
        first_strength: where the search starts.
        protocol: how candidates are compared.
        precision: of the solver; a share of the first slope, for an absolute one would call many weak features solved
            before the first step.
    """

    strengths: tuple[float, ...] = (0.1, 1.0, 10.0, 100.0)
    first_strength: float = 10.0
    protocol: selection.Protocol = field(default_factory=selection.Protocol)
    precision: Precision = field(default_factory=Precision)

    @property
    def kinds(self) -> frozenset[Kind]:
        """Every kind; tags are given to each word by itself."""
        return frozenset({"single", "pair", "regression", "multilabel", "tags"})

    @property
    def most(self) -> int:
        """Items that a choice is made on."""
        return self.protocol.most

    @property
    def by_chance(self) -> bool:
        """Learning takes no chance."""
        return False

    def choose(self, views: Mapping[str, Features], target: Target, rng: np.random.Generator) -> Choice:
        """The view and regularisation that do best by the task's metric, each item held out once."""
        start = Choice(view=next(iter(views)), strength=self.first_strength, balanced=_weighs(target))
        if len(target) < 2:  # noqa: PLR2004 - nothing to choose by
            return start
        trial = Trial(views=views, target=target, folds=selection.folds(target, rng, self.protocol))
        with STEADY.solving():
            found = selection.best([replace(start, view=view) for view in views], trial.screen)
            found = selection.best([replace(found, strength=strength) for strength in self._strengths()], trial.judge)
            evenly = (True, False) if _weighs(target) else (False,)
            return selection.best([replace(found, balanced=balanced) for balanced in evenly], trial.judge)

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
        """Choose on the first `most` items, then learn from them all."""
        return self.learn(views, target, self.choose(*first(views, target, self.most), rng))

    def _strengths(self) -> list[float]:
        """The first strength first, so that it stands where others are no better."""
        return sorted(self.strengths, key=lambda strength: (strength != self.first_strength, strength))

    def _model(self, features: Blocks, target: Target, choice: Choice) -> Linear:
        asked = question(target)
        weights = np.zeros((features.shape[1], asked.width), np.float32)
        if asked.settled:
            return Linear(weights, asked.constant())
        small, stays = features.compact()
        items = np.ones((features.shape[0], 1), np.float32)
        loss = asked.loss(items, choice.strength, balanced=choice.balanced)
        found = solve(Primal(small), loss, self.precision)
        few, offsets = asked.spread(found.numbers.reshape(len(found.numbers), -1), found.offsets.reshape(-1))
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


def _weighs(target: Target) -> bool:
    """Whether the metric cares for rare classes; weighing them up is then tried, first of all."""
    return target.metric not in _LINEAR_METRICS and target.kind not in {"regression", "tags"}
