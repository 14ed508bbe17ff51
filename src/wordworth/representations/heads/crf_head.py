"""The head for tagging over sparse features of words' spelling: a linear-chain CRF (Lafferty et al. 2001)."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.progress import ignore
from wordworth.representations.feature_blocks import Features
from wordworth.representations.heads.base import FoldFeatures, Head, Target, Views, first_view
from wordworth.representations.heads.blas_threads import SINGLE_BLAS_THREAD
from wordworth.representations.heads.cross_validation import Fold, FoldPlan, best, cross_validation, held_out_score
from wordworth.representations.heads.linear_chain_crf import ChainModel, CrfProblem, LbfgsSettings
from wordworth.representations.rung import Predictions
from wordworth.tasks.task import Kind
from wordworth.tasks.task_types import ABOUT_WORDS
from wordworth.training.finetuning.checkpoint_metadata import CRF

_ARRAYS = ("columns", "weights", "transitions", "tags")
"""The arrays of a `ChainModel`."""


_USUAL_PENALTIES = 3
"""Number of penalties of a view that hill climbing usually tries: the one that it starts at, and its neighbours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrfChoice:
    """The view (feature set) and the penalty that a CRF's cross-validation selected."""

    view: str
    penalty: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LinearChainCrf(Head):
    """A head that fits a linear-chain CRF over one view (feature set), with weights penalised by `penalty * |w|^2`.

    A text representation may offer several views of the same words; cross-validation selects one, with the penalty.
    There is a weight for each feature-tag pair that occurs in training, and for each transition between tags. Tags that
    the training labels lack are never predicted.

    Attributes:
        penalties: the penalties from which cross-validation selects, in ascending order.
        usual: the penalty at which hill climbing over `penalties` starts, and the penalty that is used where there are
            too few sentences for cross-validation. With few sentences a penalty may score high by chance. A start in
            the middle of the list makes it less likely that the search stops at such a penalty, or at the ends of the
            list, which are rarely best.
        plan: the folds of the cross-validation.
        search: settings of the optimiser.
        report: called with each fraction of a fit that is done.
    """

    penalties: tuple[float, ...] = (0.003, 0.03, 0.3, 1.0, 3.0)
    usual: float = 0.03
    plan: FoldPlan = field(default_factory=lambda: FoldPlan(folds=3))
    search: LbfgsSettings = field(default_factory=LbfgsSettings)
    report: Callable[[float], None] = field(default=ignore, compare=False, repr=False)

    @property
    def kinds(self) -> frozenset[Kind]:
        """The names of the kinds of task that the head can learn: only tagging."""
        return ABOUT_WORDS

    def num_learned(self, width: int, target: Target, views: Callable[[], Views]) -> int:  # noqa: ARG002 - a Head
        """Return the number of weights of the CRF; if there are several views (feature sets), the largest such number.

        There is a weight for each feature-tag pair that occurs, and for each transition between tags.

        Args:
            width: not used, since the number of weights depends on the views.
            target: the tags of the sentences.
            views: function that returns the views of the sentences' words.
        """
        return max(crf_problem(features, target).size for features in views().values())

    def with_progress(self, report: Callable[[float], None]) -> LinearChainCrf:
        """Return the same head whose `choose` calls `report` with a fraction for each CRF of its search."""
        return replace(self, report=report)

    def choose(self, features: FoldFeatures, target: Target, rng: np.random.Generator) -> CrfChoice:
        """Select the view (feature set) and penalty with the best cross-validated score by the task's metric.

        Args:
            features: function of (training items, held-out items) that returns the views of both, as a pair.
            target: the tags of the sentences.
            rng: source of randomness.
        """
        splits = self.plan.split(target, rng)
        if not splits:
            return CrfChoice(view=first_view(features, target), penalty=nearest(self.penalties, self.usual))
        with SINGLE_BLAS_THREAD.limited():
            folds = cross_validation(features, target, splits)
            fits = _USUAL_PENALTIES * len(folds[0].training.views) * len(folds) + 1  # the last is the fit on all items
            tried = PenaltySearch(folds, self.search, lambda: self.report(1 / fits))
            ways = [CrfChoice(view=view, penalty=tried.best(view, self.penalties, self.usual)) for view in tried.views]
            return best(ways, lambda ways: [tried.score(way.view, way.penalty) for way in ways])

    def learn(
        self,
        views: Mapping[str, Features],
        target: Target,
        choice: CrfChoice,
        rng: np.random.Generator | None = None,  # noqa: ARG002 - a Head
    ) -> FittedCrf:
        """Train a CRF on the chosen view of all of the target's sentences.

        Args:
            views: name -> features of the words of the target's sentences.
            target: the tags of these sentences.
            choice: the settings that `choose` selected.
            rng: not used.
        """
        with SINGLE_BLAS_THREAD.limited():
            model = crf_problem(views[choice.view], target).learn(choice.penalty, self.search)
        chosen = {"view": choice.view, "penalty": choice.penalty, "converged": model.converged}
        return FittedCrf(choice.view, chosen, model)


@dataclass(frozen=True, slots=True)
class FittedCrf:
    """A trained CRF, and the name of the view (feature set) that it reads."""

    form: ClassVar[str] = CRF
    view: str
    chosen: Mapping[str, object]
    model: ChainModel

    @property
    def parameters(self) -> int:
        """Number of learned parameters."""
        return self.model.parameters

    def predict(self, features: Features, lengths: NDArray[np.int64] | None = None) -> Predictions:
        """Return the tags of each sentence, int64 [words of the sentence].

        Args:
            features: [words, width].
            lengths: int64 [sentences], the number of words of each sentence.
        """
        assert lengths is not None, "a tagger needs the words of each sentence"  # noqa: S101 - by the contract
        with SINGLE_BLAS_THREAD.limited():
            return self.model.predict(csr_matrix(features), lengths)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of the CRF by name, from which `from_arrays` rebuilds the head."""
        return {name: getattr(self.model, name) for name in _ARRAYS}

    @classmethod
    def from_arrays(cls, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> FittedCrf:
        """Rebuild a head.

        Args:
            facts: the fields `view`, `chosen` and `parameters` of the head.
            arrays: what `arrays` returned.

        Raises:
            KeyError, TypeError, ValueError: facts or arrays are damaged.
        """
        chosen, parts = facts["chosen"], {name: arrays[name] for name in _ARRAYS}
        columns, tags = parts["columns"], len(parts["tags"])
        if parts["weights"].shape != (len(columns), tags) or parts["transitions"].shape != (tags, tags):
            raise ValueError("the arrays of its CRF do not fit each other")
        if (np.diff(columns) <= 0).any():
            raise ValueError("the columns of its CRF are not in ascending order")
        model = ChainModel(**parts, parameters=int(facts["parameters"]), converged=bool(chosen["converged"]))
        return cls(str(facts["view"]), chosen, model)


@dataclass(frozen=True, slots=True)
class PenaltySearch:
    """A search for the best penalty by cross-validated scores.

    Attributes:
        folds: the cross-validation folds of the training sentences.
        search: settings of the optimiser.
        on_fit: called whenever a further CRF has been trained.
        known: (view, penalty) -> score, for the pairs scored so far.
        trials: (view, number of the fold) -> the training problem on that view and fold, for those built so far.
    """

    folds: Sequence[Fold]
    search: LbfgsSettings
    on_fit: Callable[[], None] = lambda: None
    known: dict[tuple[str, float], float] = field(default_factory=dict, repr=False)
    trials: dict[tuple[str, int], _Trial] = field(default_factory=dict, repr=False)

    @property
    def views(self) -> tuple[str, ...]:
        """Names of the views (feature sets) that a CRF may read."""
        return tuple(self.folds[0].training.views)

    def best(self, view: str, penalties: Sequence[float], usual: float) -> float:
        """Return the best penalty for a view (feature set), found by hill climbing.

        Args:
            view: the name of the view.
            penalties: the penalties to search, in ascending order.
            usual: the search starts at the one of `penalties` that is nearest to this value.
        """
        return hill_climb(penalties, nearest(penalties, usual), lambda penalty: self.score(view, penalty))

    def score(self, view: str, penalty: float) -> float:
        """Return the task's metric of a view and penalty on all held-out sentences, with one CRF fitted in each fold.

        The score is cached, so that no CRF is fitted twice.

        Args:
            view: name of the view (feature set).
            penalty: the penalty.
        """
        if (view, penalty) not in self.known:
            predictions = []
            for number in range(len(self.folds)):
                predictions.append(self._trial(view, number).predictions(penalty))
                self.on_fit()
            self.known[view, penalty] = held_out_score(self.folds, predictions)
        return self.known[view, penalty]

    def _trial(self, view: str, number: int) -> _Trial:
        if (view, number) not in self.trials:
            self.trials[view, number] = _Trial(self.folds[number], view, self.search)
        return self.trials[view, number]


class _Trial:
    """The sentences of a fold in one view (feature set), to train and test CRFs with several penalties."""

    def __init__(self, fold: Fold, view: str, search: LbfgsSettings) -> None:
        self.problem = crf_problem(fold.training.views[view], fold.training.target)
        self.search, self.lengths = search, fold.held_out.target.lengths
        self.features = csr_matrix(fold.held_out.views[view])

    def predictions(self, penalty: float) -> Predictions:
        """Train a CRF with this penalty on the training sentences, and return its tags of the held-out sentences."""
        assert self.lengths is not None  # noqa: S101 - crf_problem has checked it
        return self.problem.learn(penalty, self.search).predict(self.features, self.lengths)


def crf_problem(features: Features, target: Target) -> CrfProblem:
    """Return the training problem of a CRF.

    Args:
        features: the features of all words, [words, columns].
        target: the tags of the sentences.
    """
    assert target.lengths is not None, "tags come with the words of each sentence"  # noqa: S101 - by the contract
    return CrfProblem(csr_matrix(features), np.concatenate([np.zeros(0, np.int64), *target.labels]), target.lengths)


def hill_climb(points: Sequence[float], start: float, score: Callable[[float], float]) -> float:
    """Climb from a point, first towards the start of the list and then towards its end; return the point reached.

    The point that is returned scores no less than its neighbours.

    Args:
        points: the points in order.
        start: the point to start at.
        score: function that returns the score of a point.

    >>> hill_climb([0, 1, 2, 3, 4], 2, [9, 1, 4, 3, 8].__getitem__)
    2
    """
    index = points.index(start)
    for step in (-1, 1):
        while 0 <= index + step < len(points) and score(points[index + step]) > score(points[index]):
            index += step
    return points[index]


def nearest(penalties: Collection[float], penalty: float) -> float:
    """Return the one of `penalties` whose ratio to `penalty` is closest to 1."""
    return min(penalties, key=lambda other: abs(math.log(other / penalty)))
