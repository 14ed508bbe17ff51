"""Word pairs of sentences: each word with every candidate for its syntactic head, which a dependency probe scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.training.loop import Loss


@dataclass(frozen=True, slots=True)
class ProbedSentence:
    """A sentence of n words as the input of a dependency probe, which scores the candidates for each word's head.

    The sentence has n² pairs of a word and a candidate: for each word, the other words in order and then the root.

    Attributes:
        maps: [n², maps], the attention between the words of each pair in every attention head, in both directions.
        vectors: float32 [n, width], static vectors of the words.
        heads: int64 [n], the index of each word's syntactic head; n for the root.
        is_counted: bool [n], whether a word is trained on and measured.
    """

    maps: NDArray[np.floating]
    vectors: NDArray[np.float32]
    heads: Integers
    is_counted: Flags

    def __len__(self) -> int:
        return len(self.heads)


def pairs_of(words: int) -> tuple[Integers, Integers]:
    """Return (dependents, candidate heads) of all pairs of a sentence, int64 [words²] each.

    A word's candidates are all other words, and the root, whose index is the number of `words`.
    """
    dependents, columns = np.divmod(np.arange(words * words), max(words, 1))
    return dependents, columns + (columns >= dependents)


@dataclass(frozen=True, slots=True)
class WordPairs:
    """All pairs of a word (the dependent) and a candidate for its syntactic head, of some sentences end to end.

    A node is a word or a root; nodes are the words of a sentence and then its root, sentence by sentence.

    Attributes:
        maps: float32 [pairs, maps], the attention between the words of each pair in every attention head, in both
            directions.
        vectors: float32 [nodes, width], static vectors; zeros for roots.
        dependents: int64 [pairs], the node of the dependent.
        candidates: int64 [pairs], the node of the candidate head.
        offsets: float32 [pairs], the candidate's position in the sentence minus the dependent's, in words; 0 for the
            root.
        lengths: float32 [pairs], number of words of the sentence.
        is_root: float32 [pairs], 1 where the candidate is the root.
        words: int64 [pairs], index of the dependent among all words.
        columns: int64 [pairs], index of the candidate among the candidates of its word.
        heads: int64 [words], index of the true head among a word's candidates.
        is_counted: bool [words], whether a word is trained on and measured.
    """

    maps: Tensor
    vectors: Tensor
    dependents: Tensor
    candidates: Tensor
    offsets: Tensor
    lengths: Tensor
    is_root: Tensor
    words: Tensor
    columns: Tensor
    heads: Tensor
    is_counted: Tensor

    @classmethod
    def of(cls, sentences: Sequence[ProbedSentence], scale: NDArray[np.float32] | None = None) -> WordPairs:
        """Return the pairs of words and candidate heads of some sentences.

        Args:
            sentences: one or more sentences.
            scale: float32 [maps], a factor for each attention map; None multiplies nothing.
        """
        sizes = np.array([len(sentence) for sentence in sentences])
        nodes, words = np.cumsum(sizes + 1) - sizes - 1, np.cumsum(sizes) - sizes
        pairs = [pairs_of(size) for size in sizes]
        root = np.concatenate([candidates == size for (_, candidates), size in zip(pairs, sizes, strict=True)])
        dependents, candidates = (np.concatenate(side) for side in zip(*pairs, strict=True))
        sentence = np.repeat(np.arange(len(sizes)), sizes**2)
        maps = np.concatenate([each.maps for each in sentences]).astype(np.float32)
        padding = np.zeros((1, sentences[0].vectors.shape[1]), np.float32)
        integers = (dependents + nodes[sentence], candidates + nodes[sentence], dependents + words[sentence])
        return cls(
            torch.from_numpy(maps if scale is None else maps * scale),
            torch.from_numpy(np.concatenate([part for each in sentences for part in (each.vectors, padding)])),
            torch.from_numpy(integers[0]),
            torch.from_numpy(integers[1]),
            torch.from_numpy(np.where(root, 0, candidates - dependents).astype(np.float32)),
            torch.from_numpy(sizes[sentence].astype(np.float32)),
            torch.from_numpy(root.astype(np.float32)),
            torch.from_numpy(integers[2]),
            torch.from_numpy(candidates - (candidates > dependents)),
            torch.from_numpy(np.concatenate([each.heads - (each.heads > np.arange(len(each))) for each in sentences])),
            torch.from_numpy(np.concatenate([each.is_counted for each in sentences])),
        )

    def by_word(self, scores: Tensor) -> Tensor:
        """Return the scores of pairs as a table with a row for each word, [words, most candidates].

        A word with fewer candidates than others has -inf in the other columns.

        Args:
            scores: [pairs], the score of each pair.
        """
        most = int(self.columns.max()) + 1
        table = scores.new_full((len(self.heads), most), -torch.inf)
        return table.index_put((self.words, self.columns), scores)

    def loss(self, scores: Tensor) -> Loss:
        """Return the cross-entropy of each word's true head among its candidates, summed over the counted words.

        Args:
            scores: [pairs], the score of each pair.
        """
        table, gold = self.by_word(scores)[self.is_counted], self.heads[self.is_counted]
        total = functional.cross_entropy(table, gold, reduction="sum") if len(gold) else scores.sum() * 0
        return Loss(total, len(gold), (table.argmax(1) == gold).sum())

    def right(self, scores: Tensor) -> Tensor:
        """Return for each word whether its true head has the highest score of its candidates, bool [words].

        The result is False for words that are not measured (`is_counted`).

        Args:
            scores: [pairs], the score of each pair.
        """
        return (self.by_word(scores).argmax(1) == self.heads) & self.is_counted
