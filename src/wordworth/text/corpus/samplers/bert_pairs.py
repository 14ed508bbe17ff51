"""BERT's sampler: pairs of texts from sentences, half of them random. Statistically as the original, but faster.

`create_instances_from_document` of google-research/bert, create_pretraining_data.py; Devlin et al. 2019, appendix A.2.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.seeds import child
from wordworth.text.corpus.samplers.base import Pass, document_targets, uniform_numbers
from wordworth.text.corpus.store import TokenStore
from wordworth.text.truncation import truncate_slices, two_texts

_MARKS = 3
_TRIES = 10


@dataclass(frozen=True, kw_only=True)
class BertPairs:
    """Next-sentence pairs.

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
        """Plan pass `number` over every document, shuffled; label 0: the second text follows, 1: it is random."""
        rng = child(self.seed, "original", number)
        room = self.length - _MARKS
        targets = document_targets(len(self.store.documents) - 1, room, self.short_share, rng)
        begins, middles, ends, documents, labels = self._walk(targets, rng)
        first, second = two_texts(self.store.sentences, begins, middles, ends)
        negative = np.flatnonzero(labels)
        wanted = targets[documents[negative]] - (first[negative, 1] - first[negative, 0])
        second[negative] = self._random_texts(documents[negative], wanted, rng)
        first, second = truncate_slices(first, second, room, rng)
        return Pass(first, second, labels).take(rng.permutation(len(labels)))

    def _walk(self, targets: NDArray[np.int64], rng: np.random.Generator) -> list[NDArray[np.int64]]:
        """Return, for each pair: first sentence, first sentence of its second text, end; document; label.

        A chunk grows by sentences to its target. After a random second text, the walk continues at the sentences that
        were left of the chunk: they are put back.
        """
        tokens, chances = self.store.sentences.data, uniform_numbers(rng)
        bounds = self.store.documents.tolist()
        rows = array("q")
        for document, target in enumerate(targets.tolist()):
            here, last = bounds[document], bounds[document + 1]
            while here < last:
                # every sentence has a token: the chunk ends within `target` sentences
                end = bisect_left(tokens, tokens[here] + target, here + 1, min(last, here + target))
                middle = here + 1 + int(next(chances) * (end - here - 1))
                negative = middle == end or next(chances) < 0.5  # noqa: PLR2004 - a fair coin
                rows.extend((here, middle, end, document, negative))
                here = middle if negative else end
        return list(np.array(rows, dtype=np.int64).reshape(-1, 5).T)

    def _random_texts(
        self, own_documents: NDArray[np.int64], wanted: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return second texts: up to `wanted` tokens of another document from a random sentence on, as slices [n, 2].

        A document that is uniform_numbers for itself ten times in a row is used.
        """
        documents, tokens = self.store.documents, self.store.sentences
        other_documents = own_documents.copy()
        for _ in range(_TRIES):
            same = np.flatnonzero(other_documents == own_documents)
            other_documents[same] = rng.integers(len(documents) - 1, size=len(same))
        begin = rng.integers(documents[other_documents], documents[other_documents + 1])
        end = np.searchsorted(tokens, tokens[begin] + np.maximum(wanted, 1))
        return np.stack([tokens[begin], tokens[np.minimum(end, documents[other_documents + 1])]], axis=1)
