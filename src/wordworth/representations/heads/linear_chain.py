"""Inference in a linear-chain CRF with numpy: marginals and best paths (Lafferty et al. 2001).

Sentences are packed by time: first the first words of all sentences, longest sentence first, then the second words of
those that have one, and so on. Nothing is padded; each time is one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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
