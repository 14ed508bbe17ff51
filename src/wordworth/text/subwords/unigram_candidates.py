"""`Candidates`: the pieces that a unigram vocabulary is chosen from, with their probabilities.

Kudo 2018, arXiv 1804.10959, section 3.2: expectation maximisation estimates the probabilities of pieces; then the
pieces are dropped whose removal lowers the likelihood of the words least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import digamma

from wordworth.text.subwords.frequent_substrings import frequent_substrings
from wordworth.text.subwords.unigram_lattice import Floats, Lattice

_LONGEST_PIECE = 16
_SEEDS_PER_PIECE = 10
_RARE = 0.5
"""A piece with a smaller expected count is dropped (Kudo's code)."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidate pieces from which a unigram vocabulary is chosen.

    Attributes:
        pieces: the pieces.
        single: bool [pieces], whether each piece is a single character; single characters are never dropped.
        scores: float64 [pieces], the log-probabilities of the pieces.
        words: the possible segmentations of the words.
        spellings: the possible segmentations of each piece into other pieces.
    """

    pieces: list[str]
    single: NDArray[np.bool_]
    scores: Floats
    words: Lattice
    spellings: Lattice

    @classmethod
    def of(cls, words: Sequence[str], counts: Sequence[int], size: int, least: int) -> Self:
        """Return the first candidates: all characters of the words, and their most valuable frequent substrings.

        A substring is the more valuable, the larger its count times its length.

        Args:
            words: distinct words.
            counts: the number of occurrences of each word.
            size: size of the vocabulary to choose; up to ten times as many substrings of several characters become
                candidates.
            least: minimal number of occurrences of such a substring.
        """
        frequent = list(frequent_substrings(words, counts, _LONGEST_PIECE, least))
        frequent.sort(key=lambda item: (len(item[0]) > 1, -item[1] * len(item[0]), item[0]))
        most = sum(len(piece) == 1 for piece, _ in frequent) + _SEEDS_PER_PIECE * max(size, 1)
        pieces = [piece for piece, _ in frequent[:most]]
        totals = np.array([total for _, total in frequent[:most]])
        index = {piece: number for number, piece in enumerate(pieces)}
        single = np.array([len(piece) == 1 for piece in pieces])
        lattices = Lattice.of(words, index), Lattice.of(pieces, index, whole=False)
        return cls(pieces, single, np.log(totals / totals.sum()), *lattices)

    def keep(self, is_kept: NDArray[np.bool_], scores: Floats) -> Self:
        """Return the candidates without some of the pieces, with new log-probabilities.

        Args:
            is_kept: bool [pieces], which pieces to keep.
            scores: float64 [kept pieces], their log-probabilities.
        """
        pieces = [self.pieces[number] for number in np.flatnonzero(is_kept)]
        words, spellings = self.words.keep(is_kept), self.spellings.take(is_kept).keep(is_kept)
        return replace(
            self, pieces=pieces, single=self.single[is_kept], scores=scores, words=words, spellings=spellings
        )

    def estimated(self, weights: Floats) -> Self:
        """Return the candidates after one step of expectation maximisation.

        Pieces whose expected count is below 0.5 are dropped. Log-probabilities are variational Bayes estimates, as in
        Kudo's code.

        Args:
            weights: float64 [words], the number of occurrences of each word.
        """
        expected, _ = self.words.expected_counts(self.scores, weights)
        is_kept = self.single | (expected >= _RARE)
        left = np.maximum(expected[is_kept], _RARE)
        return self.keep(is_kept, digamma(left) - digamma(left.sum()))

    def pruned(self, weights: Floats, number: int) -> Self:
        """Return the candidates reduced to the pieces whose removal would lower the likelihood of the words most.

        A removed piece would be replaced by its best segmentation into other pieces (Kudo 2018, section 3.2).

        Args:
            weights: float64 [words], the number of occurrences of each word.
            number: number of pieces to keep, single characters included.
        """
        size = len(self.pieces)
        used, owners = self.words.best(self.scores)
        counts = np.bincount(used, weights[owners], size)
        others, owners = self.spellings.best(self.scores)
        spelt = np.bincount(owners, self.scores[others], size)
        lengths = np.bincount(owners, minlength=size)
        possible = ~self.single & (counts > 0) & (self.scores >= spelt)
        own = np.where(possible, counts, 1.0)
        total = counts.sum()
        replaced = np.bincount(owners, np.log(counts[others] + own[owners]), size)
        replaced -= lengths * np.log(total + own * (lengths - 1))
        loss = np.where(possible, own / total * (np.log(own / total) - replaced), -np.inf)
        is_kept = self.single.copy()
        order = np.argsort(-loss, kind="stable")[: max(0, number - int(is_kept.sum()))]
        is_kept[order[possible[order]]] = True
        return self.keep(is_kept, self.scores[is_kept])
