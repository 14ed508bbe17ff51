"""A baseline that predicts words without codes and codes without words: by chance, or by frequency at a position."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordworth.studies.crossmodal.caption_matching import search_chances
from wordworth.studies.crossmodal.evaluation import Hits
from wordworth.studies.crossmodal.masked_prediction import TOP
from wordworth.text.words_and_codes_vocabulary import ROLES, WordsAndCodesVocabulary
from wordworth.training.crossmodal.sequences import Numbers, Pairs


def prior(vocabulary: WordsAndCodesVocabulary, train: Pairs, pairs: Pairs, candidates: int, seed: int) -> Hits:
    """Count the right answers of a baseline to each test pair; it predicts words without codes and codes without words.

    The baseline guesses at random whether words and codes belong together, and which pair a search finds; for these
    measures the expected number of right answers is returned. A masked token is predicted as the words or codes that
    are most frequent at the same position of training pairs.

    Args:
        vocabulary: the joint vocabulary of words and codes.
        train: the training pairs; training pairs with only words or only codes are not counted.
        pairs: the test pairs.
        candidates: the largest number of pairs that a search ranks.
        seed: seed of the sets that are searched, as in `evaluate`.
    """
    single, train = np.ones(len(pairs)), train.take(train.whole)
    columns = [(single, 2 * single)]
    for counted, own in ((train.words, pairs.words), (train.codes, pairs.codes)):
        longest = max(map(len, own))
        ranked = most_frequent_by_position(counted, longest, vocabulary.size)
        answers = np.array([(ids >= len(ROLES)).sum() for ids in own], dtype=np.float64)
        for top in TOP:
            hits = [(ranked[: len(ids), :top] == ids[:, None]).sum() for ids in own]
            columns.append((np.array(hits, dtype=np.float64), answers))
    columns += 2 * [(chance, single) for chance in search_chances(pairs, candidates, seed)]
    return Hits.of(columns)


def most_frequent_by_position(sequences: Sequence[Numbers], length: int, size: int) -> Numbers:
    """Return the most frequent ids at each position of sequences, the most frequent first, int64 [length, max(TOP)].

    Ids that are equally frequent at a position are ordered by their frequency at all positions; so are all ids at a
    position beyond the end of every sequence. Special tokens are left out.

    Args:
        sequences: for each sequence the ids of its words or codes, int64 [n].
        length: number of positions, from the first on.
        size: number of ids of the vocabulary.
    """
    counts = np.zeros((length, size))
    for ids in sequences:
        np.add.at(counts, (np.arange(min(len(ids), length)), ids[:length]), 1)
    everywhere = np.bincount(np.concatenate(sequences), minlength=size)
    counts += everywhere / (everywhere.sum() + 1)  # less than one: decides among equals alone
    counts[:, : len(ROLES)] = -1
    return np.argsort(-counts, axis=1, kind="stable")[:, : max(TOP)]
