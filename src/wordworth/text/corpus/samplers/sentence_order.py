"""Sentence-order pairs: two consecutive texts, half of the pairs swapped. Lan et al. 2020 (arXiv 1909.11942)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.pretraining_sequences import NO_SECOND
from wordworth.text.corpus.samplers.base import Pass
from wordworth.text.corpus.samplers.sentence_pairs import SentencePairs, SentenceRuns
from wordworth.text.truncation import truncate_slices, two_texts


@dataclass(frozen=True, kw_only=True)
class SentenceOrderPairs(SentencePairs):
    """A sampler of pairs of consecutive texts, half of them swapped, for sentence order prediction.

    The label of a pair is 0 in the order of the document, 1 if swapped, -1 without a second text. A sequence has no
    second text if it is made of a single sentence: the only sentence of a document, or one left over at its end. The
    code of Lan et al. takes a random second text instead. `SentencePairs` explains the fields.
    """

    stream: ClassVar[str] = "order"
    min_sentences: ClassVar[int] = 2
    has_random_texts: ClassVar[bool] = False

    def _texts(
        self,
        runs: SentenceRuns,
        targets: NDArray[np.int64],  # noqa: ARG002 - no text is drawn to a length
        room: int,
        rng: np.random.Generator,
    ) -> Pass:
        first, second = two_texts(self.store.sentences, runs.begin, runs.middle, runs.end)
        first, second = truncate_slices(first, second, room, rng)
        labels = np.where(runs.middle < runs.end, rng.integers(2, size=len(runs.end)), NO_SECOND)
        swapped = (labels == 1)[:, None]
        return Pass(np.where(swapped, second, first), np.where(swapped, first, second), labels)
