"""Test a trained model: whether words and codes belong together, masked prediction, and search in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from wordworth.measures.weighted_sums import Floats
from wordworth.studies.crossmodal.caption_matching import judgement_hits, search_hits
from wordworth.studies.crossmodal.masked_prediction import TOP, masked_prediction_hits
from wordworth.text.words_and_codes_vocabulary import WordsAndCodesVocabulary
from wordworth.training.crossmodal.sequences import CODES_SIDE, WORDS_SIDE, Pairs
from wordworth.training.pretraining.model import PretrainingModel

ALIGNMENT = "alignment"
WORDS, CODES = "word from codes", "code from words"
TO_CODES, TO_WORDS = "codes by words", "words by codes"
MEASURES = (ALIGNMENT, *(f"{name}, top {top}" for name in (WORDS, CODES, TO_CODES, TO_WORDS) for top in TOP))
"""Measures in the order of the columns of `Hits`."""
COMPLETION = tuple(f"{name}, top {top}" for name in (WORDS, CODES) for top in TOP)
"""The measures of masked words and codes, in the order of the columns of `complete`."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The numbers of right answers and of all answers of a system, for each sequence and measure.

    An answer is a judgement whether words and codes belong together, the prediction of a masked token, or a search.

    Attributes:
        right: float64 [sequences, measures], the number of right answers; for a system that guesses, the expected
            number.
        answers: float64 [sequences, measures], the number of all answers.
    """

    right: Floats
    answers: Floats

    @classmethod
    def of(cls, columns: Sequence[tuple[Floats, Floats]]) -> Self:
        """Stack the results of several measures into one object, with a column for each measure.

        Args:
            columns: for each measure the numbers of right answers and of all answers, float64 [sequences] each.
        """
        return cls(*(np.stack(parts, axis=1) for parts in zip(*columns, strict=True)))

    def shares(self) -> Floats:
        """Return the share of right answers over all sequences by measure, float64 [measures]; 0 without answers."""
        made: Floats = self.right.sum(0) / np.maximum(self.answers.sum(0), 1)
        return made


def evaluate(
    model: PretrainingModel,
    vocabulary: WordsAndCodesVocabulary,
    pairs: Pairs,
    max_length: int,
    candidates: int,
    seed: int,
) -> Hits:
    """Count a model's right answers and all its answers on each test pair, by every measure of `MEASURES`.

    An answer is a judgement whether words and codes belong together, the prediction of a masked token, or a search.

    Args:
        model: the model, in evaluation mode.
        vocabulary: the joint vocabulary of words and codes.
        pairs: the test pairs of words and codes, two or more.
        max_length: the largest number of tokens of a sequence.
        candidates: the largest number of pairs that a search ranks.
        seed: seed of the pairs that do not belong together, and of the sets that are searched.
    """
    columns = [judgement_hits(model, pairs, max_length, seed)]
    columns += _completed(model, vocabulary, pairs, max_length)
    columns += search_hits(model, pairs, max_length, candidates, seed)
    return Hits.of(columns)


def complete(model: PretrainingModel, vocabulary: WordsAndCodesVocabulary, pairs: Pairs, max_length: int) -> Hits:
    """Count for each pair the masked words and codes, and how many of them a model predicts correctly.

    The columns of the result are the measures of `COMPLETION`.

    Args:
        model: the model, in evaluation mode.
        vocabulary: the joint vocabulary of words and codes.
        pairs: the pairs of words and codes.
        max_length: the largest number of tokens of a sequence.
    """
    return Hits.of(_completed(model, vocabulary, pairs, max_length))


def _completed(
    model: PretrainingModel, vocabulary: WordsAndCodesVocabulary, pairs: Pairs, max_length: int
) -> list[tuple[Floats, Floats]]:
    return [
        hits
        for side in (WORDS_SIDE, CODES_SIDE)
        for hits in masked_prediction_hits(model, vocabulary, pairs, side, max_length)
    ]
