"""Sentence-order pairs: two texts that follow each other, half of them swapped. Lan et al. 2020 (arXiv 1909.11942)."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.seeds import child
from wordworth.text.corpus.instances import NO_SECOND
from wordworth.text.corpus.samplers.base import Pass, document_targets, uniform_numbers
from wordworth.text.corpus.store import TokenStore
from wordworth.text.truncation import truncate_slices, two_texts

_MARKS = 3


@dataclass(frozen=True, kw_only=True)
class SentenceOrderPairs:
    """Pairs of consecutive texts, in their order or swapped.

    A sentence without a partner (the only one of its document, or left over by the document's pairs) becomes a sequence
    without second text, where the paper's code would take a random one.

    Attributes:
        store: the store that is cut.
        length: the longest sequence, special tokens included.
        seed: decides all passes.
        short_share: how often a document is cut for a shorter length, uniform_numbers uniformly.
    """

    store: TokenStore
    length: int = 128
    seed: int = 0
    short_share: float = 0.1

    def plan(self, number: int) -> Pass:
        """Plan pass `number` over every document, shuffled; label 0: in order, 1: swapped, -1: no second text."""
        rng = child(self.seed, "order", number)
        room = self.length - _MARKS
        targets = document_targets(len(self.store.documents) - 1, room, self.short_share, rng)
        begins, middles, ends = self._walk(targets, rng)
        first, second = two_texts(self.store.sentences, begins, middles, ends)
        first, second = truncate_slices(first, second, room, rng)
        labels = np.where(middles < ends, rng.integers(2, size=len(ends)), NO_SECOND)
        swapped = (labels == 1)[:, None]
        first, second = np.where(swapped, second, first), np.where(swapped, first, second)
        return Pass(first, second, labels).take(rng.permutation(len(labels)))

    def _walk(self, targets: NDArray[np.int64], rng: np.random.Generator) -> list[NDArray[np.int64]]:
        """Return, for each pair: first sentence of its first text, of its second text, and the sentence after both."""
        tokens, chances = self.store.sentences.data, uniform_numbers(rng)
        bounds = self.store.documents.tolist()
        rows = array("q")
        for document, target in enumerate(targets.tolist()):
            here, last = bounds[document], bounds[document + 1]
            while here < last:
                enough = bisect_left(tokens, tokens[here] + target, here + 1, min(last, here + target))
                end = min(max(enough, here + 2), last)
                middle = here + 1 + int(next(chances) * (end - here - 1))
                rows.extend((here, middle, end))
                here = end
        return list(np.array(rows, dtype=np.int64).reshape(-1, 3).T)
