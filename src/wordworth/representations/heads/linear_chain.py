"""Inference in a linear-chain CRF with numpy: marginals and best paths (Lafferty et al. 2001).

Sentences are packed by time: first the first words of all sentences, longest sentence first, then the second words of
those that have one, and so on. Nothing is padded; each time is one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

Scores = NDArray[np.float64]
_LEAST = -200.0
"""Scores are at most this far below the best one at their word, so that no product underflows; nothing else changes."""


@dataclass(frozen=True, eq=False)
class Packing:
    """The order of sentences' words when they are packed by time.

    Attributes:
        rows: int64 [words], the row (sentences end to end) of each packed word.
        starts: int64 [times + 1], where the words of each time begin, and the end.
    """

    rows: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, lengths: NDArray[np.int64]) -> Packing:
        """Pack sentences of these lengths; sentences without words take no part."""
        order = np.argsort(-lengths, kind="stable")
        firsts = (np.cumsum(lengths) - lengths)[order]
        longest = int(lengths.max(initial=0))
        batch_sizes = np.searchsorted(-lengths[order], -np.arange(longest))
        rows = [firsts[:count] + time for time, count in enumerate(batch_sizes)]
        return cls(np.concatenate([np.zeros(0, np.int64), *rows]), np.concatenate([[0], np.cumsum(batch_sizes)]))

    @property
    def times(self) -> int:
        """Number of words of the longest sentence."""
        return len(self.starts) - 1

    @property
    def sentences(self) -> int:
        """Number of sentences that have a word."""
        return int(self.starts[1]) if self.times else 0

    def at(self, time: int) -> slice:
        """Return the slice of the words at a time."""
        return slice(int(self.starts[time]), int(self.starts[time + 1]))

    def previous(self, time: int) -> slice:
        """Return the slice of the words before those at a time, `time` > 0."""
        start = int(self.starts[time - 1])
        return slice(start, start + int(self.starts[time + 1] - self.starts[time]))

    @cached_property
    def before(self) -> NDArray[np.int64]:
        """int64 [words - sentences], the previous word of each word that is not the first of its sentence."""
        pieces = (np.arange(len(self.rows))[self.previous(time)] for time in range(1, self.times))
        return np.concatenate([np.zeros(0, np.int64), *pieces])


@dataclass(frozen=True, slots=True)
class Marginals:
    """Expectations of a chain over its sentences.

    Attributes:
        log_partition: the sum over sentences of the log of the sum over all tag sequences of exp(score).
        tags: float64 [words, tags], the probability of each tag at each packed word.
        steps: float64 [tags, tags], the expected number of transitions from tag to tag, over all words.
    """

    log_partition: float
    tags: Scores
    steps: Scores


def marginals(scores: Scores, step: Scores, packing: Packing) -> Marginals:
    """Run the forward-backward algorithm, scaled at every word so that nothing overflows (Rabiner 1989, V.A).

    Args:
        scores: float64 [words, tags], packed.
        step: float64 [tags, tags], the score of a tag (column) after a tag (row).
        packing: of the sentences.
    """
    best_scores, highest_step = scores.max(axis=1, keepdims=True), step.max()
    local, follow = (np.exp(np.maximum(below, _LEAST)) for below in (scores - best_scores, step - highest_step))
    forward, scale = _forward(local, follow, packing)
    backward, onward = _backward(local / scale, follow, packing)
    steps = (forward[packing.before].T @ onward[packing.sentences :]) * follow
    followed = len(scores) - packing.sentences
    return Marginals(
        float(np.log(scale).sum() + best_scores.sum() + highest_step * followed), forward * backward, steps
    )


def _forward(local: Scores, follow: Scores, packing: Packing) -> tuple[Scores, Scores]:
    """Return the probability of each tag given the words so far [words, tags], and each word's scale [words, 1]."""
    forward, scale = local.copy(), np.empty((len(local), 1))
    for time in range(packing.times):
        now = forward[packing.at(time)]
        if time:
            now *= forward[packing.previous(time)] @ follow
        total = now.sum(axis=1, keepdims=True)
        scale[packing.at(time)] = total
        now /= total
    return forward, scale


def _backward(scaled: Scores, follow: Scores, packing: Packing) -> tuple[Scores, Scores]:
    """Return the backward messages [words, tags], and their products with the scaled local scores."""
    backward, onward = np.ones_like(scaled), scaled.copy()
    for time in range(packing.times - 1, 0, -1):
        now = packing.at(time)
        onward[now] *= backward[now]
        backward[packing.previous(time)] = onward[now] @ follow.T
    return backward, onward


def best_tags(scores: Scores, step: Scores, packing: Packing) -> NDArray[np.int64]:
    """Return the best tags of all words (Viterbi 1967), int64 [words] packed; the lower tag number wins a tie."""
    best, back = scores.copy(), np.zeros(scores.shape, np.int64)
    for time in range(1, packing.times):
        paths = best[packing.previous(time)][:, :, None] + step
        back[packing.at(time)] = paths.argmax(axis=1)
        best[packing.at(time)] += paths.max(axis=1)
    tags: NDArray[np.int64] = best.argmax(axis=1)
    for time in range(packing.times - 1, 0, -1):
        now = packing.at(time)
        tags[packing.previous(time)] = np.take_along_axis(back[now], tags[now][:, None], axis=1)[:, 0]
    return tags


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Settings of the optimisation of the weights.

    Attributes:
        steps: most steps of L-BFGS.
        precision: the search ends when a step lowers the loss by less than this fraction.
        memory: steps that L-BFGS remembers.
    """

    steps: int = 300
    precision: float = 1e-4
    memory: int = 10


@dataclass(frozen=True, slots=True)
class ChainModel:
    """A trained CRF's parameters.

    Attributes:
        columns: int64 [d], the columns of the features that it reads.
        weights: float32 [d, tags].
        step: float64 [tags, tags], the score of a tag (column) after a tag (row).
        tags: int64 [tags], the classes that they stand for.
        parameters: number of learned parameters; feature-tag pairs that were not seen have none.
        converged: whether the optimisation ended before its last step.
    """

    columns: NDArray[np.int64]
    weights: NDArray[np.float32]
    step: Floats
    tags: NDArray[np.int64]
    parameters: int
    converged: bool

    def predict(self, features: csr_matrix, lengths: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        """Return the best tags of sentences of `lengths`, from their words end to end [words, columns]."""
        packing, tags = Packing.of(lengths), np.zeros(features.shape[0], np.int64)
        if len(packing.rows) and len(self.tags):
            scores = self._scores(features)[packing.rows]
            tags[packing.rows] = self.tags[best_tags(scores, self.step, packing)]
        return tuple(np.split(tags, np.cumsum(lengths)[:-1])) if len(lengths) else ()

    def _scores(self, features: csr_matrix) -> Floats:
        """Return tag scores, float64 [words, tags]; the work grows with the words and not with the columns."""
        if not len(self.columns):
            return np.zeros((features.shape[0], len(self.tags)))
        positions = np.minimum(np.searchsorted(self.columns, features.indices), len(self.columns) - 1)
        known = features.data * (self.columns[positions] == features.indices)
        shape = features.shape[0], len(self.columns)
        return np.asarray(csr_matrix((known, positions, features.indptr), shape=shape) @ self.weights, dtype=np.float64)


class CrfProblem:
    """Training sentences for CRFs of several penalties.

    Args:
        features: [words, columns], sentences end to end.
        labels: int64 [words], the classes of the words.
        lengths: int64 [sentences].
    """

    def __init__(self, features: csr_matrix, labels: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
        packing, self.tags = Packing.of(lengths), np.unique(labels)
        settled = len(self.tags) < 2  # noqa: PLR2004 - a single tag: no feature is needed
        self.columns = np.unique(features.indices[:0] if settled else features.indices).astype(np.int64)
        numbered = np.searchsorted(self.tags, labels)[packing.rows]
        self.loss = (
            None if settled else Loss(features[:, self.columns][packing.rows], numbered, packing, len(self.tags))
        )

    @property
    def size(self) -> int:
        """Number of parameters to learn."""
        return self.loss.size if self.loss else 0

    def learn(self, penalty: float, search: Search) -> ChainModel:
        """Return the CRF that minimises minus the log-probability of all labels plus `penalty * |w|^2`.

        With fewer than two tags it has no weights.

        Args:
            penalty: greater than 0.
            search: settings of the optimisation.
        """
        if self.loss is None:
            count = len(self.tags)
            weights = np.zeros((0, count), np.float32)
            return ChainModel(self.columns, weights, np.zeros((count, count)), self.tags, self.size, True)
        options = {
            "maxiter": search.steps,
            "maxfun": 2 * search.steps,
            "maxcor": search.memory,
            "ftol": search.precision,
        }
        optimum = minimize(
            self.loss, np.zeros(self.size), args=(penalty,), jac=True, method="L-BFGS-B", options=options
        )
        weights, step = self.loss.spread(optimum.x)
        return ChainModel(self.columns, weights, step, self.tags, self.size, optimum.status != _OUT_OF_STEPS)


_OUT_OF_STEPS = 1
"""L-BFGS-B's status then; any other means that no step lowers the loss by more than the precision, or than rounding."""


class Loss:
    """Minus the log-probability of the tags of sentences, plus the penalty, and its gradient.

    Args:
        features: [words, d], packed.
        labels: int64 [words], packed, tags from 0.
        packing: of the sentences.
        tags: number of tags.
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
        """Return loss and gradient at `numbers`: the weights of the seen pairs, then those of the transitions."""
        weights, step = self.spread(numbers)
        expected = marginals((self.features @ weights).astype(np.float64), step, self.packing)
        pairs = (self.across @ expected.tags.astype(np.float32)).ravel()[self.pairs]
        slope = np.concatenate([pairs, expected.steps.ravel()]) - self.seen + 2 * penalty * numbers
        return expected.log_partition - float(numbers @ self.seen) + penalty * float(numbers @ numbers), slope

    def spread(self, numbers: Floats) -> tuple[NDArray[np.float32], Floats]:
        """Return weights float32 [d, tags], 0 for pairs that were not seen, and transitions float64 [tags, tags]."""
        weights = np.zeros(self.shape, np.float32)
        weights.ravel()[self.pairs] = numbers[: len(self.pairs)]
        return weights, numbers[len(self.pairs) :].reshape(self.tags, self.tags)
