"""A linear-chain CRF in numpy, over sentences packed by time: marginals and training (Lafferty et al. 2001).

Packed by time means that the first words of all sentences come first, then the second words, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from wordworth.text.corpus.index_ranges import split_by
from wordworth.training.pack_words_by_time import PackedWords, viterbi

Floats = NDArray[np.float64]
_MIN_LOG_POTENTIAL = -200.0
"""Lower bound of a log potential, relative to the best at its word, so that no product underflows."""


@dataclass(frozen=True, slots=True)
class Marginals:
    """Expectations under a chain's distribution over tag sequences.

    Attributes:
        log_partition: the sum over sentences of the log of the sum over all tag sequences of exp(score).
        tags: float64 [words, tags], the probability of each tag at each word; words are packed by time (the first words
            of all sentences, then the second words, and so on).
        transitions: float64 [tags, tags], the expected number of transitions from tag (row) to tag (column).
    """

    log_partition: float
    tags: Floats
    transitions: Floats


def marginals(scores: Floats, transitions: Floats, packing: PackedWords) -> Marginals:
    """Run the forward-backward algorithm, scaled at every word so that nothing overflows (Rabiner 1989, V.A).

    Args:
        scores: float64 [words, tags], with words packed by time: the first words of all sentences, then the second
            words, and so on.
        transitions: float64 [tags, tags], the score of a tag (column) after a tag (row).
        packing: which sentence and position each packed word has.
    """
    best_scores, highest_transition = scores.max(axis=1, keepdims=True), transitions.max()
    potentials, transition_potentials = (
        np.exp(np.maximum(below, _MIN_LOG_POTENTIAL))
        for below in (scores - best_scores, transitions - highest_transition)
    )
    forward, scale = _forward(potentials, transition_potentials, packing)
    backward, weighted_backward = _backward(potentials / scale, transition_potentials, packing)
    expected = (forward[packing.before].T @ weighted_backward[packing.sentences :]) * transition_potentials
    num_transitions = len(scores) - packing.sentences
    log_partition = float(np.log(scale).sum() + best_scores.sum() + highest_transition * num_transitions)
    return Marginals(log_partition, forward * backward, expected)


def _forward(potentials: Floats, transition_potentials: Floats, packing: PackedWords) -> tuple[Floats, Floats]:
    """Return the probability of each tag given the words so far [words, tags], and each word's scale [words, 1]."""
    forward, scale = potentials.copy(), np.empty((len(potentials), 1))
    for time in range(packing.times):
        now = forward[packing.at(time)]
        if time:
            now *= forward[packing.previous(time)] @ transition_potentials
        total = now.sum(axis=1, keepdims=True)
        scale[packing.at(time)] = total
        now /= total
    return forward, scale


def _backward(scaled: Floats, transition_potentials: Floats, packing: PackedWords) -> tuple[Floats, Floats]:
    """Return the backward messages [words, tags], and their products with the scaled potentials."""
    backward, weighted_backward = np.ones_like(scaled), scaled.copy()
    for time in range(packing.times - 1, 0, -1):
        now = packing.at(time)
        weighted_backward[now] *= backward[now]
        backward[packing.previous(time)] = weighted_backward[now] @ transition_potentials.T
    return backward, weighted_backward


@dataclass(frozen=True, slots=True, kw_only=True)
class LbfgsSettings:
    """Settings of L-BFGS, which optimises the weights.

    Attributes:
        steps: maximum number of steps.
        precision: the optimisation ends when a step lowers the loss by less than this fraction of it.
        memory: number of earlier steps that approximate the Hessian.
    """

    steps: int = 300
    precision: float = 1e-4
    memory: int = 10


@dataclass(frozen=True, slots=True)
class ChainModel:
    """The parameters of a trained CRF.

    Attributes:
        columns: int64 [d], the columns of the features that it reads.
        weights: float32 [d, tags], the weight of each feature in the score of each tag.
        transitions: float64 [tags, tags], the score of a tag (column) after a tag (row).
        tags: int64 [tags], the class index that each tag of the model stands for; classes without examples have no tag.
        parameters: number of learned parameters; feature-tag pairs that do not occur in training are not counted.
        converged: whether the optimisation ended before the maximum number of steps.
    """

    columns: NDArray[np.int64]
    weights: NDArray[np.float32]
    transitions: Floats
    tags: NDArray[np.int64]
    parameters: int
    converged: bool

    def predict(self, features: csr_matrix, lengths: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        """Return the best tags of each sentence, int64 [words of the sentence].

        Args:
            features: [words, columns], the features of all words, sentence after sentence.
            lengths: int64 [sentences], the number of words of each sentence.
        """
        packing, tags = PackedWords.of(lengths), np.zeros(features.shape[0], np.int64)
        if len(packing.rows) and len(self.tags):
            scores = self._scores(features)[packing.rows]
            tags[packing.rows] = self.tags[viterbi(scores, self.transitions, packing)]
        return split_by(lengths, tags)

    def _scores(self, features: csr_matrix) -> Floats:
        """Return the score of each tag at each word, float64 [words, tags]; only nonzero features cost time."""
        if not len(self.columns):
            return np.zeros((features.shape[0], len(self.tags)))
        positions = np.minimum(np.searchsorted(self.columns, features.indices), len(self.columns) - 1)
        values = features.data * (self.columns[positions] == features.indices)
        shape = features.shape[0], len(self.columns)
        return np.asarray(
            csr_matrix((values, positions, features.indptr), shape=shape) @ self.weights, dtype=np.float64
        )


class CrfProblem:
    """A training set on which CRFs with several penalties are fitted.

    Args:
        features: [words, columns], the features of all words, sentence after sentence.
        labels: int64 [words], the classes of the words.
        lengths: int64 [sentences], the number of words of each sentence.
    """

    def __init__(self, features: csr_matrix, labels: NDArray[np.int64], lengths: NDArray[np.int64]) -> None:
        packing, self.tags = PackedWords.of(lengths), np.unique(labels)
        is_trivial = len(self.tags) < 2  # noqa: PLR2004 - a single tag: no feature is needed
        self.columns = np.unique(features.indices[:0] if is_trivial else features.indices).astype(np.int64)
        tag_numbers = np.searchsorted(self.tags, labels)[packing.rows]
        self.loss: NegativeLogLikelihood | None = None
        if not is_trivial:
            packed = features[:, self.columns][packing.rows]
            self.loss = NegativeLogLikelihood(packed, tag_numbers, packing, len(self.tags))

    @property
    def size(self) -> int:
        """Number of parameters to learn."""
        return self.loss.size if self.loss else 0

    def learn(self, penalty: float, search: LbfgsSettings) -> ChainModel:
        """Return the CRF that minimises minus the log-probability of all labels plus `penalty * |w|^2`.

        A CRF of fewer than two tags has no weights.

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
        result = minimize(self.loss, np.zeros(self.size), args=(penalty,), jac=True, method="L-BFGS-B", options=options)
        weights, transitions = self.loss.unpack(result.x)
        return ChainModel(self.columns, weights, transitions, self.tags, self.size, result.status != _OUT_OF_STEPS)


_OUT_OF_STEPS = 1
"""Status of L-BFGS-B after its last step; any other means that no step lowers the loss by more than the precision."""


class NegativeLogLikelihood:
    """The negative log-likelihood of the tags of sentences plus the penalty, and its gradient.

    Args:
        features: [words, d], with words packed by time: the first words of all sentences, then the second words, and so
            on.
        labels: int64 [words], the tag of each packed word, from 0.
        packing: which sentence and position each packed word has.
        num_tags: number of tags.
    """

    def __init__(self, features: csr_matrix, labels: NDArray[np.int64], packing: PackedWords, num_tags: int) -> None:
        self.features, self.transposed, self.packing, self.num_tags = features, features.T.tocsr(), packing, num_tags
        gold = np.zeros((len(labels), num_tags), np.float32)
        gold[np.arange(len(labels)), labels] = 1
        cooccurrences = np.asarray(self.transposed @ gold)
        self.shape, self.pairs = cooccurrences.shape, np.flatnonzero(cooccurrences)
        transitions = np.zeros((num_tags, num_tags))
        np.add.at(transitions, (labels[packing.before], labels[packing.sentences :]), 1)
        self.seen = np.concatenate([cooccurrences.ravel()[self.pairs].astype(np.float64), transitions.ravel()])
        self.size = len(self.seen)

    def __call__(self, parameters: Floats, penalty: float) -> tuple[float, Floats]:
        """Return loss and gradient at `parameters`: the weights of the seen pairs, then those of the transitions."""
        weights, transitions = self.unpack(parameters)
        expected = marginals((self.features @ weights).astype(np.float64), transitions, self.packing)
        pairs = (self.transposed @ expected.tags.astype(np.float32)).ravel()[self.pairs]
        gradient = np.concatenate([pairs, expected.transitions.ravel()]) - self.seen + 2 * penalty * parameters
        penalised = penalty * float(parameters @ parameters)
        return expected.log_partition - float(parameters @ self.seen) + penalised, gradient

    def unpack(self, parameters: Floats) -> tuple[NDArray[np.float32], Floats]:
        """Split the flat vector of the optimiser into the weights of features and the transitions between tags.

        Args:
            parameters: float64 [n], the weights of the feature-tag pairs that occur in training, then the transitions.

        Returns:
            Weights, float32 [features, tags], 0 where a feature never occurs with a tag; transitions, float64 [tags,
            tags], from the row's tag to the column's tag.
        """
        weights = np.zeros(self.shape, np.float32)
        weights.ravel()[self.pairs] = parameters[: len(self.pairs)]
        return weights, parameters[len(self.pairs) :].reshape(self.num_tags, self.num_tags)
