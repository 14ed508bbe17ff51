"""The linear head: logistic regression for classes (one per label for multilabel), ridge regression for numbers.

Every frozen representation has this head and its selection protocol, so that results differ by their features alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from wordworth.progress import ignore
from wordworth.representations.feature_blocks import Blocks, Features, Scaling
from wordworth.representations.heads.base import FoldFeatures, Head, Target, first_view
from wordworth.representations.heads.blas_threads import SINGLE_BLAS_THREAD
from wordworth.representations.heads.cross_validation import FoldPlan, best, cross_validation, smoothed
from wordworth.representations.heads.fold_models import Candidate
from wordworth.representations.heads.grid_search import GridSearch
from wordworth.representations.heads.linear_problems import Problem, problem_of, to_predictions
from wordworth.representations.heads.logit_adjustment import LogitAdjustment, regularised_taus_for, weighs_items_equally
from wordworth.representations.heads.newton_cg import Precision, Solution, columns, solve
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration
from wordworth.representations.row_products import MANY_COLUMNS, RowProducts
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind
from wordworth.tasks.task_types import IN_LADDER

_USUAL = 10.0
_FURTHER = 3
"""Number of candidates that a search usually fits beside those of the screening."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearChoice:
    """The settings that a linear head selected by cross-validation.

    Attributes:
        view: the name of the view (feature set).
        strength: the inverse regularisation strength C.
        tau: the strength of the logit adjustment.
        calibration: the temperature and shift by which scores become probabilities.
    """

    view: str
    strength: float
    tau: float = 0.0
    calibration: Calibration = NOT_CALIBRATED


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearHead(Head):
    """An L2-regularised linear model; view, C and logit adjustment are selected.

    Attributes:
        strengths: the values from which C in `C * sum of losses + |w|^2 / 2` is selected; the features are scaled so
            that rows have squared norm one on average.
        screening: the values of C under which views (alternative feature sets) are compared; wide views need a smaller
            C than narrow views.
        margin: how much higher another view than the representation's first one must score to be selected. The margin
            is divided by the square root of the number of held-out items of all divisions (in tagging, sentences); so
            it is about half a standard error of the difference between two models that agree on most items. Within
            it, the usual view of TF-IDF is better on average, and the usual view of other representations as good.
            Regression has no margin, since the correlations of two models with the labels differ by less. For the same
            reason the score of a view in regression is the score of its best candidate. In other tasks it is the mean
            of its two best candidates: the best one alone is often the luckiest.
        plan: the folds of the cross-validation in tagging, and where the metric weighs items equally, as accuracy does.
        rare_class_plan: the folds under any other metric, such as F1 and Matthews' correlation. These vary more with
            the items that are held out, as a few rare ones decide, and no log loss steadies the choice.
        precision: stopping rule of the solver, relative to the first gradient; with an absolute tolerance, a problem of
            many weak features would count as solved before the first step.
        report: called with each fraction of a fit that is done.
    """

    strengths: tuple[float, ...] = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
    screening: tuple[float, ...] = (1.0, 10.0, 100.0)
    margin: float = 0.2
    plan: FoldPlan = field(default_factory=lambda: FoldPlan(enough=600))
    rare_class_plan: FoldPlan = field(default_factory=lambda: FoldPlan(enough=1000, repeats=5))
    precision: Precision = field(default_factory=Precision)
    report: Callable[[float], None] = field(default=ignore, compare=False, repr=False)

    @property
    def kinds(self) -> frozenset[Kind]:
        """The names of all kinds of task; in tagging the head tags each word independently."""
        return IN_LADDER

    def with_progress(self, report: Callable[[float], None]) -> LinearHead:
        """Return the same head whose `choose` calls `report` with a fraction for each candidate that it fits."""
        return replace(self, report=report)

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> LinearChoice:
        """Select the view (feature set), the inverse regularisation strength C and the logit adjustment.

        The combination with the best cross-validated selection score is selected: the task's metric, for accuracy less
        the log loss (`GridSearch.selection_scores`).

        Args:
            features: function of (training items, held-out items) that returns the views of both, as a pair.
            target: the labels of the items.
            rng: source of randomness.
        """
        weighs_equally = weighs_items_equally(target)
        divisions = self.fold_plan(target).divisions(target, rng)
        if not divisions[0]:
            return LinearChoice(view=first_view(features, target), strength=_USUAL)
        folds = cross_validation(features, target, [split for division in divisions for split in division])
        candidates = len(folds[0].training.views) * len(self.screening) + _FURTHER
        part = 1 / (candidates + 1)  # the last part is the fit on all items
        search = GridSearch(folds, regularised_taus_for(target), on_fit=lambda: self.report(part))
        with SINGLE_BLAS_THREAD.limited():
            items = sum(len(fold.held_out.target) for fold in folds)
            margin, best_scores = (0.0, 1) if target.type.numeric else (self.margin / math.sqrt(items), 2)
            choice = _choice(search, self._neighbourhood(search, self._screened(search, margin, best_scores)))
            candidate = Candidate(choice.view, choice.strength)
            # Where the metric favours rare classes, tau distorts the probabilities: they are calibrated without it.
            tau = choice.tau if weighs_equally else 0.0
            return replace(choice, calibration=search.calibration(candidate, tau, len(divisions[0])))

    def fold_plan(self, target: Target) -> FoldPlan:
        """Return the folds of the cross-validation, which depend on the metric of the target."""
        return self.plan if weighs_items_equally(target) or target.type.labels_words else self.rare_class_plan

    def _screened(self, search: GridSearch, margin: float, best_scores: int) -> Candidate:
        """Select a view by its scores under each C of `screening`; return it with the best of these C.

        Args:
            search: the grid search.
            margin: how far the score of the first view may be below the best score for the first view to be chosen.
            best_scores: number of candidates of a view, the best ones, whose mean score is the score of the view.
        """
        strengths = [strength for strength in self.screening if strength in self.strengths] or self.strengths
        candidates = [Candidate(view, strength) for view in search.views for strength in strengths]
        scores = _scores(search, candidates)

        def score(view: str) -> float:
            highest = sorted(scores[Candidate(view, strength)] for strength in strengths)[-best_scores:]
            return fmean(highest) + margin * (view == search.views[0])

        view = max(search.views, key=score)
        return _ranked(search, [candidate for candidate in candidates if candidate.view == view])[0]

    def _neighbourhood(self, search: GridSearch, best: Candidate) -> list[Candidate]:
        """Climb from `best` to a better C of its view, until no C up to two steps away is better.

        Returns:
            The candidates with the C that was reached and up to two values of C on either side, in order of C.
        """
        while True:
            index = self.strengths.index(best.strength)
            around = [Candidate(best.view, strength) for strength in self.strengths[max(index - 2, 0) : index + 3]]
            if (better := _ranked(search, around)[0]) == best:
                return around
            best = better

    def learn(
        self,
        views: Mapping[str, Features],
        target: Target,
        choice: LinearChoice,
        rng: np.random.Generator | None = None,  # noqa: ARG002 - a Head
    ) -> FittedLinear:
        """Fit a linear model on the chosen view of all of the target's items.

        Args:
            views: name -> features of the target's items.
            target: the labels of these items.
            choice: the settings that `choose` selected.
            rng: not used.
        """
        with SINGLE_BLAS_THREAD.limited():
            scaling = Scaling.of(views[choice.view])
            model = self._model(scaling(views[choice.view]), target, choice)
        chosen = {"view": choice.view, "strength": choice.strength, "tau": choice.tau, "converged": model.converged}
        distorts = bool(choice.tau) and not weighs_items_equally(target)
        shift = LogitAdjustment.of(target, choice.tau).shift if distorts else ()
        calibration = replace(choice.calibration, shift=tuple(map(float, shift)))
        return FittedLinear(choice.view, chosen, scaling, model, target.kind, calibration)

    def _model(self, features: Blocks, target: Target, choice: LinearChoice) -> Linear:
        problem = problem_of(target)
        weights = np.zeros((features.shape[1], problem.width), np.float32)
        if problem.is_trivial:
            return Linear(weights, problem.constant())
        compact, remaining = features.compact()
        products = RowProducts(least_columns=MANY_COLUMNS)  # with fewer, a single fit does not make up for them
        solution = self._solution(compact.with_row_products(products), problem, choice.strength)
        compact_weights, offsets = problem.expand(columns(solution.weights), solution.offsets.reshape(-1))
        weights[remaining] = compact_weights
        adjusted = LogitAdjustment.of(target, choice.tau)(offsets)
        return Linear(weights, adjusted, bool(solution.converged.all()))

    def _solution(self, features: Blocks, problem: Problem, strength: float) -> Solution:
        """Minimise the loss for C = `strength`.

        A larger C than the usual one is reached in steps: the solution for the usual C is the starting point for ten
        times this C, and so on, which takes less time.
        """
        step = min(strength, _USUAL)
        solution = solve(features, problem.loss(step), self.precision)
        while step < strength:
            step = min(step * 10, strength)
            solution = solve(features, problem.loss(step), self.precision, solution.start)
        return solution


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear model, `features @ weights + offsets`.

    Attributes:
        weights: float32 [d, k], for d features and k scores of an item (one for each class, label or number).
        offsets: float64 [k], -inf for a class without examples.
        converged: whether the solver reached its tolerance.
    """

    weights: NDArray[np.float32]
    offsets: NDArray[np.float64]
    converged: bool = True

    def predictions(self, features: Blocks, kind: Kind, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return predictions for a kind of task from scaled features.

        Args:
            features: scaled features, [n, width].
            kind: the kind of task.
            lengths: for tagging int64 [sentences], the number of words of each sentence; else None.
        """
        return to_predictions(np.asarray(features @ self.weights, dtype=np.float64) + self.offsets, kind, lengths)


@dataclass(frozen=True, slots=True)
class FittedLinear:
    """A fitted linear model with its view (feature set), the scaling of its features, and its calibration."""

    view: str
    chosen: Mapping[str, object]
    scaling: Scaling
    model: Linear
    kind: Kind
    calibration: Calibration = NOT_CALIBRATED

    @property
    def parameters(self) -> int:
        """Number of weights and offsets; classes without examples are not counted."""
        seen = int(np.isfinite(self.model.offsets).sum())
        return (len(self.model.weights) + 1) * seen

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return predictions from the features of the view (feature set) that the head was fitted on.

        Args:
            features: [n, width].
            lengths: for tagging int64 [sentences], the number of words of each sentence; else None.
        """
        with SINGLE_BLAS_THREAD.limited():
            return self.model.predictions(self.scaling(features), self.kind, lengths)


def _scores(search: GridSearch, candidates: Sequence[Candidate]) -> dict[Candidate, float]:
    """Return the selection score of each candidate under its best tau, smoothed over tau."""
    return dict(zip(candidates, smoothed(search.selection_scores(candidates), 1).max(1).tolist(), strict=True))


def _ranked(search: GridSearch, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Sort candidates by their score under the best tau, best first; ties by the distance of C from the usual one."""
    scores = _scores(search, candidates)
    return sorted(candidates, key=lambda candidate: (-scores[candidate], _unusual(candidate.strength)))


def _choice(search: GridSearch, path: Sequence[Candidate]) -> LinearChoice:
    """Return the settings with the best score, smoothed over C and tau; of equal scores, the most usual settings.

    Args:
        search: the grid search.
        path: candidates of one view, in order of C.
    """
    scores = smoothed(smoothed(search.selection_scores(path), 1), 0)
    grid = {
        LinearChoice(view=candidate.view, strength=candidate.strength, tau=tau): float(score)
        for candidate, of_candidate in zip(path, scores, strict=True)
        for tau, score in zip(search.taus, of_candidate, strict=True)
    }
    ranked = sorted(grid, key=lambda choice: (_unusual(choice.strength), abs(choice.tau)))
    return best(ranked, lambda ranked: [grid[choice] for choice in ranked])


def _unusual(strength: float) -> float:
    """Return the distance between a C and the usual one, on a log scale."""
    return abs(math.log(strength / _USUAL))
