"""Test a trained model on test pairs: judging pairs, completing either side, and searching one side by the other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Floats
from wordworth.studies.crossmodal.caption_matching import judgement_hits
from wordworth.studies.crossmodal.masked_prediction import TOP, masked_prediction_hits
from wordworth.studies.crossmodal.retrieval import search_hits
from wordworth.text.words_and_codes_vocabulary import WordsAndCodesVocabulary
from wordworth.training.crossmodal.sequences import CODES_SIDE, WORDS_SIDE, Pairs
from wordworth.training.pretraining.model import PretrainingModel

ALIGNMENT = "alignment"
WORDS, CODES = "word from codes", "code from words"
TO_CODES, TO_WORDS = "codes by words", "words by codes"
MEASURES = (ALIGNMENT, *(f"{name}, top {top}" for name in (WORDS, CODES, TO_CODES, TO_WORDS) for top in TOP))
"""Measures in the order of the columns of `Hits`."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The numbers of right answers to test sequences, by the measures in `MEASURES`.

    Attributes:
        right: float64 [sequences, measures], the number of right answers; for a system that guesses, the expected
            number.
        answers: float64 [sequences, measures], the number of all answers.
    """

    right: Floats
    answers: Floats


def evaluate(
    model: PretrainingModel,
    vocabulary: WordsAndCodesVocabulary,
    pairs: Pairs,
    max_length: int,
    candidates: int,
    seed: int,
) -> Hits:
    """Return the number of right answers of a model to each test pair, by every measure.

    Args:
        model: the model, in evaluation mode.
        vocabulary: the joint vocabulary of words and codes.
        pairs: the test pairs of words and codes, two or more.
        max_length: the largest number of tokens of a sequence.
        candidates: the largest number of pairs that a search ranks.
        seed: seed of the pairs that do not belong together, and of the sets that are searched.
    """
    columns = [judgement_hits(model, pairs, max_length, seed)]
    for side in (WORDS_SIDE, CODES_SIDE):
        columns += masked_prediction_hits(model, vocabulary, pairs, side, max_length)
    columns += search_hits(model, pairs, max_length, candidates, seed)
    return Hits(*(np.stack(parts, axis=1) for parts in zip(*columns, strict=True)))
