"""BERT's sampler of pairs of texts, about half of them with a random second text (Devlin et al. 2019, appendix A.2).

The pairs have the same distribution as the pairs of `create_instances_from_document` (create_pretraining_data.py of
google-research/bert), and are made faster.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.samplers.base import Pass
from wordworth.text.corpus.samplers.sentence_pairs import SentencePairs, SentenceRuns
from wordworth.text.truncation import truncate_slices, two_texts

_TRIES = 10


@dataclass(frozen=True, kw_only=True)
class BertPairs(SentencePairs):
    """A sampler of the pairs of BERT's next sentence prediction.

    The label of a pair is 0 if the second text follows the first, 1 if it is random. `SentencePairs` explains the
    fields.
    """

    stream: ClassVar[str] = "original"
    min_sentences: ClassVar[int] = 1
    has_random_texts: ClassVar[bool] = True

    def _texts(self, runs: SentenceRuns, targets: NDArray[np.int64], room: int, rng: np.random.Generator) -> Pass:
        first, second = two_texts(self.store.sentences, runs.begin, runs.middle, runs.end)
        negative = np.flatnonzero(runs.random)
        wanted = targets[runs.document[negative]] - (first[negative, 1] - first[negative, 0])
        second[negative] = self._random_texts(runs.document[negative], wanted, rng)
        first, second = truncate_slices(first, second, room, rng)
        return Pass(first, second, runs.random)

    def _random_texts(
        self, own_documents: NDArray[np.int64], wanted: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return a random second text for each of n pairs, as bounds in the store's ids, int64 [n, 2].

        A text begins at a random sentence of a random document, and continues by sentences until it has at least
        `wanted` tokens or the document ends. If the pair's own document is drawn, another is drawn, up to ten times in
        all; after ten failures the own document is used.

        Args:
            own_documents: int64 [n], the index of each pair's document.
            wanted: int64 [n], the wanted number of tokens.
            rng: source of randomness.
        """
        documents, tokens = self.store.documents, self.store.sentences
        other_documents = own_documents.copy()
        for _ in range(_TRIES):
            same = np.flatnonzero(other_documents == own_documents)
            other_documents[same] = rng.integers(len(documents) - 1, size=len(same))
        begin = rng.integers(documents[other_documents], documents[other_documents + 1])
        end = np.searchsorted(tokens, tokens[begin] + np.maximum(wanted, 1))
        return np.stack([tokens[begin], tokens[np.minimum(end, documents[other_documents + 1])]], axis=1)
