"""The linear head: logistic regression for classes, one a label for many labels, ridge regression for numbers.

One head and one selection protocol for every frozen representation, so that rungs differ by their features alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, Ridge

from wordworth.representations import selection
from wordworth.representations.heads.head import Target
from wordworth.representations.heads.scaling import Scaling
from wordworth.representations.heads.steady import STEADY
from wordworth.representations.representation import Features
from wordworth.representations.rung import Predictions
from wordworth.representations.selection import Split
from wordworth.tasks.task import Kind

_LINEAR_METRICS = frozenset({"accuracy", "token_accuracy", "spearman", "pearson", "r2"})
"""Metrics that weigh every item alike: for them, rare classes are never weighed up."""
_NEVER = -np.inf
_LEAST = 1e-9


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
        tolerance: of the Newton-CG solver, as a share of the first step's steepest slope: an absolute one would call
            many weak features solved before the first step.
        iterations: Newton steps at most.
    """

    strengths: tuple[float, ...] = (0.1, 1.0, 10.0, 100.0)
    first_strength: float = 10.0
    protocol: selection.Protocol = field(default_factory=selection.Protocol)
    tolerance: float = 3e-2
    iterations: int = 500

    @property
    def kinds(self) -> frozenset[Kind]:
        """Every kind; tags are given to each word by itself."""
        return frozenset({"single", "pair", "regression", "multilabel", "tags"})

    def fit(self, views: Mapping[str, Features], target: Target, rng: np.random.Generator) -> FittedLinear:
        """Choose view and regularisation by the task's metric inside the target's items, then learn from them all."""
        scaled = _Scaled(views)
        parts = selection.splits(target, rng, self.protocol)

        def judge(choice: Choice) -> float:
            return self._judge(scaled[choice.view][1], target, parts, choice)

        with STEADY.solving():
            start = Choice(view=next(iter(views)), strength=self.first_strength, balanced=_weighs(target))
            choice = selection.search(self._axes(views, target) if parts else {}, start, judge)
            scaling, features = scaled[choice.view]
            model = self._model(features, target, choice)
        return FittedLinear(choice.view, asdict(choice) | {"converged": model.converged}, scaling, model, target.kind)

    def _axes(self, views: Mapping[str, Features], target: Target) -> dict[str, Sequence[object]]:
        return {"view": tuple(views), "strength": self.strengths, "balanced": (True, False) if _weighs(target) else ()}

    def _judge(self, features: Any, target: Target, parts: Sequence[Split], choice: Choice) -> float:  # noqa: ANN401 - dense or sparse
        held = np.concatenate([part.held for part in parts])
        said: list[Predictions] = []
        for part in parts:
            model = self._model(features[target.feature_rows(part.fit)], target.take(part.fit), choice)
            lengths = None if target.lengths is None else target.lengths[part.held]
            said.append(model.predictions(features[target.feature_rows(part.held)], target.kind, lengths))
        return selection.score(target.take(held), selection.together(said))

    def _model(self, features: Any, target: Target, choice: Choice) -> Linear:  # noqa: ANN401 - dense or sparse
        """A column that is zero in every row has weight zero, so that the solver need not see it."""
        if not isinstance(features, csr_matrix):
            return self._solved(features, target, choice)
        used = np.flatnonzero(np.bincount(features.indices, minlength=features.shape[1]))
        if len(used) == features.shape[1]:
            return self._solved(features, target, choice)
        small = self._solved(features[:, used], target, choice)
        weights = np.zeros((features.shape[1], small.weights.shape[1]))
        weights[used] = small.weights
        return replace(small, weights=weights)

    def _solved(self, features: Any, target: Target, choice: Choice) -> Linear:  # noqa: ANN401 - dense or sparse
        if target.kind == "regression":
            return _ridge(features, np.asarray(target.labels), choice.strength)
        solver = LogisticRegression(
            C=choice.strength,
            solver="newton-cg",
            tol=self.tolerance,
            max_iter=self.iterations,
            class_weight="balanced" if choice.balanced else None,
        )
        if target.kind == "multilabel":
            return _one_each(solver, features, np.asarray(target.labels))
        labels = np.concatenate([np.zeros(0, np.int64), *target.labels]) if target.kind == "tags" else target.labels
        return _classes(solver, features, np.asarray(labels), len(target.classes))


@dataclass(frozen=True, slots=True)
class Linear:
    """`features @ weights + offsets`, float64 [d, k] and [k]; an offset of -inf is a class never seen."""

    weights: NDArray[np.float64]
    offsets: NDArray[np.float64]
    converged: bool = True

    def predictions(self, features: Any, kind: Kind, lengths: NDArray[np.int64] | None = None) -> Predictions:  # noqa: ANN401 - dense or sparse
        """Predictions of the kind of task, from scaled features."""
        scores = np.asarray(features @ self.weights) + self.offsets
        if kind == "regression":
            return np.asarray(scores[:, 0])
        if kind != "tags":
            return scores
        assert lengths is not None  # noqa: S101 - by the contract of FittedHead
        best = scores.argmax(1).astype(np.int64)
        return tuple(np.split(best, np.cumsum(lengths)[:-1])) if len(lengths) else ()


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


class _Scaled:
    """Views scaled when first asked for, and kept."""

    def __init__(self, views: Mapping[str, Features]) -> None:
        self._views = views
        self._done: dict[str, tuple[Scaling, Any]] = {}

    def __getitem__(self, view: str) -> tuple[Scaling, Any]:
        if view not in self._done:
            scaling = Scaling.of(self._views[view])
            self._done[view] = scaling, scaling(self._views[view])
        return self._done[view]


def _weighs(target: Target) -> bool:
    """Whether the metric cares for rare classes; weighing them up is then tried, first of all."""
    return target.metric not in _LINEAR_METRICS and target.kind not in {"regression", "tags"}


def _ridge(features: Any, values: NDArray[np.float64], strength: float) -> Linear:  # noqa: ANN401 - dense or sparse
    """Ridge regression; values are brought to unit variance so that strength means what it does for classes."""
    spread = float(values.std()) or 1.0
    if not len(values):
        return Linear(np.zeros((features.shape[1], 1)), np.zeros(1))
    model = Ridge(alpha=1 / strength, solver="auto", tol=1e-4).fit(features, (values - values.mean()) / spread)
    offset = float(np.ravel(model.intercept_)[0]) * spread + float(values.mean())
    return Linear(np.reshape(model.coef_, (-1, 1)) * spread, np.array([offset]))


def _classes(solver: LogisticRegression, features: Any, labels: NDArray[np.int64], count: int) -> Linear:  # noqa: ANN401 - dense or sparse
    """Multinomial logistic regression over the classes seen; a class not among them scores -inf."""
    weights, offsets = np.zeros((features.shape[1], count)), np.full(count, _NEVER)
    seen = np.unique(labels)
    if len(seen) < 2:  # noqa: PLR2004 - one class: always that one; none: the first
        offsets[seen if len(seen) else 0] = 0.0
        return Linear(weights, offsets)
    model = _fit(solver, features, labels)
    rows, shifts = model.coef_, model.intercept_
    if len(seen) == 2:  # noqa: PLR2004 - two classes share one row of log-odds
        rows, shifts = np.vstack([-rows, rows]) / 2, np.concatenate([-shifts, shifts]) / 2
    weights[:, seen], offsets[seen] = rows.T, shifts
    return Linear(weights, offsets, bool(np.max(model.n_iter_) < model.max_iter))


def _fit(solver: LogisticRegression, features: Any, labels: np.ndarray) -> LogisticRegression:  # noqa: ANN401 - dense or sparse
    """A fit whose tolerance is a share of the steepest slope at weights zero, where every class has its own share."""
    given = labels[:, None] == np.unique(labels)
    slopes = features.T @ (given - given.mean(0)).astype(np.float32)
    steepest = float(np.abs(slopes).max(initial=0)) / len(labels)
    return clone(solver).set_params(tol=max(solver.tol * steepest, _LEAST)).fit(features, labels)


def _one_each(solver: LogisticRegression, features: Any, labels: NDArray[np.bool_]) -> Linear:  # noqa: ANN401 - dense or sparse
    """One logistic regression a label; a label never (always) given in training is never (always) given."""
    weights, offsets = np.zeros((features.shape[1], labels.shape[1])), np.full(labels.shape[1], _NEVER)
    converged = True
    for label, given in enumerate(labels.T):
        if given.all() or not given.any():
            offsets[label] = np.inf if len(given) and given.all() else _NEVER
            continue
        model = _fit(solver, features, given)
        weights[:, label], offsets[label] = model.coef_[0], model.intercept_[0]
        converged &= bool(np.max(model.n_iter_) < model.max_iter)
    return Linear(weights, offsets, converged)
