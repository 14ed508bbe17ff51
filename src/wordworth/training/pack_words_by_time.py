"""Sentences packed by time (all first words, then all second words, ...), and Viterbi decoding over them.

First come the first words of all sentences, longest sentence first, then the second words of all sentences with two
words or more, and so on. Nothing is padded or masked; each time step takes one matrix product.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
_Scores = TypeVar("_Scores", NDArray[np.float32], NDArray[np.float64])


@dataclass(frozen=True, eq=False)
class PackedWords:
    """The words of sentences by time step: the first words of all sentences, then all second words, and so on.

    At every time step the longest sentence comes first.

    Attributes:
        rows: int64 [words], the index of each packed word among the words of all sentences end to end.
        batch_sizes: number of sentences that have a first word, a second word, and so on.
    """

    rows: Numbers
    batch_sizes: tuple[int, ...]

    @classmethod
    def of(cls, lengths: Numbers, sentences: Numbers | None = None) -> PackedWords:
        """Pack some sentences of a corpus; sentences without words are skipped.

        Args:
            lengths: int64 [corpus], the number of words of each sentence of the corpus.
            sentences: int64 [n], indices of the sentences to pack; None for all.

        >>> PackedWords.of(np.array([1, 3, 2]))
        PackedWords(rows=array([1, 4, 0, 2, 5, 3]), batch_sizes=(3, 2, 1))
        """
        sentences = np.arange(len(lengths)) if sentences is None else sentences
        order = sentences[np.argsort(-lengths[sentences], kind="stable")]
        firsts, longest = (np.cumsum(lengths) - lengths)[order], int(lengths[order].max(initial=0))
        batch_sizes = tuple(np.searchsorted(-lengths[order], -np.arange(longest)).tolist())
        rows = [firsts[:count] + time for time, count in enumerate(batch_sizes)]
        return cls(np.concatenate([np.zeros(0, np.int64), *rows]), batch_sizes)

    @cached_property
    def starts(self) -> Numbers:
        """The packed index of the first word of each time step, and the number of words, int64 [times + 1]."""
        return np.cumsum([0, *self.batch_sizes], dtype=np.int64)

    @property
    def times(self) -> int:
        """Number of time steps, which is the number of words of the longest sentence."""
        return len(self.batch_sizes)

    @property
    def sentences(self) -> int:
        """Number of sentences with at least one word."""
        return self.batch_sizes[0] if self.batch_sizes else 0

    def at(self, time: int) -> slice:
        """Return which packed words are at a time step, counted from 0, as a slice."""
        return slice(int(self.starts[time]), int(self.starts[time + 1]))

    def previous(self, time: int) -> slice:
        """Return, as a slice, the packed words that stand directly before the words of a time step in their sentences.

        Args:
            time: the time step, 1 or more.
        """
        start = int(self.starts[time - 1])
        return slice(start, start + self.batch_sizes[time])

    @cached_property
    def before(self) -> Numbers:
        """The packed index of the previous word of the same sentence, int64 [words - sentences].

        There is an entry for every word but the first words of sentences.
        """
        previous_words = (np.arange(len(self.rows))[self.previous(time)] for time in range(1, self.times))
        return np.concatenate([np.zeros(0, np.int64), *previous_words])


def viterbi(scores: _Scores, transitions: _Scores, packing: PackedWords, last: _Scores | None = None) -> Numbers:
    """Return the tag indices of the best tag sequence of each sentence (Viterbi 1967), int64 [words], in packed order.

    A tie goes to the lower tag index.

    Args:
        scores: [words, tags], the score of each tag at each packed word.
        transitions: [tags, tags], the score of a tag (column) after a tag (row).
        packing: the packing of the sentences.
        last: [tags], the score of a tag at the end of a sentence; None for 0.
    """
    best, back = scores.copy(), np.zeros(scores.shape, np.int64)
    for time in range(1, packing.times):
        paths = best[packing.previous(time)][:, :, None] + transitions
        back[packing.at(time)] = paths.argmax(axis=1)
        best[packing.at(time)] += paths.max(axis=1)
    tags: Numbers = (best if last is None else best + last).argmax(axis=1)
    for time in range(packing.times - 1, 0, -1):
        now = packing.at(time)
        tags[packing.previous(time)] = np.take_along_axis(back[now], tags[now][:, None], axis=1)[:, 0]
    return tags
