"""The baseline that ignores the other side: chance, and the most frequent words and codes of the training pairs."""

from __future__ import annotations

import numpy as np

from wordworth.studies.crossmodal.evaluation import Hits
from wordworth.studies.crossmodal.masked_prediction import TOP
from wordworth.studies.crossmodal.retrieval import search_chances
from wordworth.text.words_and_codes_vocabulary import ROLES, WordsAndCodesVocabulary
from wordworth.training.crossmodal.sequences import Pairs


def prior(vocabulary: WordsAndCodesVocabulary, train: Pairs, pairs: Pairs, candidates: int, seed: int) -> Hits:
    """Return how many answers to each test pair are right by a baseline that ignores the other side.

    A pair has two sides, words and codes. The baseline judges and searches at random, which gives an expected number,
    and fills masked tokens with the most frequent words or codes of the training pairs.

    Args:
        vocabulary: the joint vocabulary of words and codes.
        train: the training pairs.
        pairs: the test pairs.
        candidates: the largest number of pairs that a search ranks.
        seed: seed of the sets that are searched, as in `evaluate`.
    """
    single = np.ones(len(pairs))
    columns = [(single, 2 * single)]
    for counted, own in ((train.words, pairs.words), (train.codes, pairs.codes)):
        frequency = np.bincount(np.concatenate(counted), minlength=vocabulary.size)
        frequency[: len(ROLES)] = 0
        ranked = np.argsort(-frequency, kind="stable")
        answers = np.array([(ids >= len(ROLES)).sum() for ids in own], dtype=np.float64)
        columns += [
            (np.array([np.isin(ids, ranked[:top]).sum() for ids in own], dtype=np.float64), answers) for top in TOP
        ]
    columns += 2 * [(chance, single) for chance in search_chances(pairs, candidates, seed)]
    return Hits(*(np.stack(parts, axis=1) for parts in zip(*columns, strict=True)))
