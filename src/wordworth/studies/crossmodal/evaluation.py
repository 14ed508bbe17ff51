"""What a trained model makes of test pairs: completion of either side, judgements of pairs, and search both ways."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wordworth.measures.weighted_sums import Floats
from wordworth.studies.crossmodal.alignment import judgement_hits
from wordworth.studies.crossmodal.completion import TOP, completion_hits
from wordworth.studies.crossmodal.search import search_hits
from wordworth.text.joint_vocabulary import JointVocabulary
from wordworth.training.crossmodal.sequences import CODES_SIDE, WORDS_SIDE, Pairs
from wordworth.training.pretraining.model import PretrainingModel

ALIGNMENT = "alignment"
WORDS, CODES = "word from codes", "code from words"
TO_CODES, TO_WORDS = "codes by words", "words by codes"
MEASURES = (ALIGNMENT, *(f"{name}, top {top}" for name in (WORDS, CODES, TO_CODES, TO_WORDS) for top in TOP))
"""Measures in the order of the columns of `Hits`."""


@dataclass(frozen=True, slots=True)
class Hits:
    """What was right, sequence by sequence.

    Attributes:
        right: float64 [n, measures].
        answers: float64 [n, measures], how many answers there were.
    """

    right: Floats
    answers: Floats


def evaluate(
    model: PretrainingModel, vocabulary: JointVocabulary, pairs: Pairs, max_length: int, candidates: int, seed: int
) -> Hits:
    """Return what a model gets right of test pairs.

    Args:
        model: in evaluation mode.
        vocabulary: of words and codes.
        pairs: the test pairs, two or more.
        max_length: most tokens of a sequence.
        candidates: sequences among which one is searched, about.
        seed: decides which pairs do not belong together, and the sets that are searched.
    """
    columns = [judgement_hits(model, pairs, max_length, seed)]
    for side in (WORDS_SIDE, CODES_SIDE):
        columns += completion_hits(model, vocabulary, pairs, side, max_length)
    columns += search_hits(model, pairs, max_length, candidates, seed)
    return Hits(*(np.stack(parts, axis=1) for parts in zip(*columns, strict=True)))
