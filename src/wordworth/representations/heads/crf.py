"""The tagging head of the counts rung: a linear-chain CRF over sparse features (Lafferty et al. 2001).

Computed as in Sha and Pereira (2003), with L-BFGS. It is ours because CRFsuite's Python binding holds the interpreter
for the whole of a fit: no other rung would learn meanwhile, and Ctrl-C would wait for the fit's end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from wordworth.representations import selection
from wordworth.representations.blocks import Features
from wordworth.representations.heads.chain import Packing, best_tags, marginals
from wordworth.representations.heads.head import Target, first
from wordworth.representations.heads.steady import STEADY
from wordworth.representations.rung import Predictions
from wordworth.representations.views import ViewsAt
from wordworth.tasks.task import Kind

Floats = NDArray[np.float64]


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
        steps: of L-BFGS at most.
        precision: learning ends when a step lowers the loss by less than this share.
        memory: steps that L-BFGS remembers.
    """

    penalties: tuple[float, ...] = (0.03, 0.003, 0.3)
    protocol: selection.Protocol = field(default_factory=lambda: selection.Protocol(most=1000))
    steps: int = 100
    precision: float = 1e-5
    memory: int = 6

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
            model = _learned(self, csr_matrix(views[choice.view]), tags, target.lengths, choice.penalty)
        chosen = {"view": choice.view, "penalty": choice.penalty, "converged": model.converged}
        return FittedCrf(choice.view, chosen, model)

    def fit(self, views: Mapping[str, Features], target: Target, rng: np.random.Generator) -> FittedCrf:
        """Choose on the first `most` sentences, then learn from them all."""
        return self.learn(views, target, self.choose(*first(views, target, self.most), rng))


@dataclass(frozen=True, slots=True)
class ChainModel:
    """A CRF's learned numbers.

    Attributes:
        columns: int64 [d], the columns of the features that it reads.
        weights: float32 [d, tags].
        step: float64 [tags, tags], the score of a tag (column) after a tag (row).
        tags: int64 [tags], the classes that they stand for.
        parameters: learned numbers; pairs that were not seen have none.
        converged: whether learning ended before its last step.
    """

    columns: NDArray[np.int64]
    weights: NDArray[np.float32]
    step: Floats
    tags: NDArray[np.int64]
    parameters: int
    converged: bool

    def predict(self, features: csr_matrix, lengths: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        """The best tags of sentences of `lengths`, from their words end to end [words, columns]."""
        packing, said = Packing.of(lengths), np.zeros(features.shape[0], np.int64)
        if len(packing.rows) and len(self.tags):
            scores = np.asarray(features[:, self.columns] @ self.weights, dtype=np.float64)[packing.rows]
            said[packing.rows] = self.tags[best_tags(scores, self.step, packing)]
        return tuple(np.split(said, np.cumsum(lengths)[:-1])) if len(lengths) else ()


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
        learned = np.setdiff1d(np.arange(len(self.target)), held)
        views = ViewsAt(self.views, self.target.feature_rows(learned))
        fitted = self.head.learn(views, self.target.take(learned), candidate)
        return fitted.predict(
            self.views[candidate.view][self.target.feature_rows(held)], self.target.take(held).lengths
        )


def _learned(
    head: LinearChainCrf, features: csr_matrix, labels: NDArray[np.int64], lengths: NDArray[np.int64], penalty: float
) -> ChainModel:
    """A CRF from sentences; one without any weight where there are no words."""
    packing, tags = Packing.of(lengths), np.unique(labels)
    columns = np.unique(features.indices).astype(np.int64)
    loss = _Loss(features[:, columns][packing.rows], np.searchsorted(tags, labels)[packing.rows], packing, len(tags))
    if len(tags) < 2:  # noqa: PLR2004 - nothing to tell apart
        return ChainModel(columns[:0], np.zeros((0, len(tags)), np.float32), np.zeros((len(tags),) * 2), tags, 0, True)
    limits = {"maxiter": head.steps, "maxfun": 2 * head.steps, "maxcor": head.memory, "ftol": head.precision}
    start = np.zeros(loss.size)
    solved = minimize(loss, start, args=(penalty,), jac=True, method="L-BFGS-B", options=limits)
    weights, step = loss.spread(solved.x)
    return ChainModel(columns, weights, step, tags, loss.size, bool(solved.success))


class _Loss:
    """Minus the log-probability of the tags of sentences, plus the penalty, and its slope.

    Args:
        features: [words, d], packed.
        labels: int64 [words], packed, tags from 0.
        packing: of the sentences.
        tags: how many there are.
    """

    def __init__(self, features: csr_matrix, labels: NDArray[np.int64], packing: Packing, tags: int) -> None:
        self.features, self.across, self.packing, self.tags = features, features.T.tocsr(), packing, tags
        gold = np.zeros((len(labels), tags), np.float32)
        gold[np.arange(len(labels)), labels] = 1
        together = np.asarray(self.across @ gold)
        self.shape, self.pairs = together.shape, np.flatnonzero(together)
        steps = np.zeros((tags, tags))
        np.add.at(steps, (labels[packing.before], labels[packing.sentences :]), 1)
        self.seen = np.concatenate([together.ravel()[self.pairs].astype(np.float64), steps.ravel()])
        self.size = len(self.seen)

    def __call__(self, numbers: Floats, penalty: float) -> tuple[float, Floats]:
        """The loss and its slope at `numbers`, the weights of the seen pairs and then those of the steps."""
        weights, step = self.spread(numbers)
        expected = marginals((self.features @ weights).astype(np.float64), step, self.packing)
        pairs = (self.across @ expected.tags.astype(np.float32)).ravel()[self.pairs]
        slope = np.concatenate([pairs, expected.steps.ravel()]) - self.seen + 2 * penalty * numbers
        return expected.log_partition - float(numbers @ self.seen) + penalty * float(numbers @ numbers), slope

    def spread(self, numbers: Floats) -> tuple[NDArray[np.float32], Floats]:
        """Weights float32 [d, tags], 0 for pairs that were not seen, and steps float64 [tags, tags]."""
        weights = np.zeros(self.shape, np.float32)
        weights.ravel()[self.pairs] = numbers[: len(self.pairs)]
        return weights, numbers[len(self.pairs) :].reshape(self.tags, self.tags)
