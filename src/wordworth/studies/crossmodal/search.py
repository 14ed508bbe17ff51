"""Search among test pairs by alignment: the codes of some words, and the words of some codes."""

from __future__ import annotations

import numpy as np

from wordworth import seeds
from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.studies.crossmodal.alignment import alignment_scores
from wordworth.studies.crossmodal.completion import TOP
from wordworth.training.crossmodal.sequences import Numbers, Pairs
from wordworth.training.pretraining.model import PretrainingModel


def search_hits(
    model: PretrainingModel, pairs: Pairs, max_length: int, candidates: int, seed: int
) -> list[tuple[Floats, Floats]]:
    """Return whether the codes of a pair's words are among the first one and five of a set, and then its words.

    A sequence with the same words is as right as the pair's own.

    Args:
        model: in evaluation mode.
        pairs: the test pairs.
        max_length: most tokens of a sequence.
        candidates: size of a set, about.
        seed: decides the sets.
    """
    hits, single = np.zeros((len(pairs), 2 * len(TOP))), np.ones(len(pairs))
    for rows in search_sets(len(pairs), candidates, seed):
        scores = score_matrix(model, pairs.take(rows), max_length)
        same = _same_words(pairs.take(rows))
        for direction, matrix in enumerate((scores, scores.T)):
            best = np.where(same, matrix, -np.inf).max(1)
            above = ((matrix > best[:, None]) & ~same).sum(1)
            for column, top in enumerate(TOP):
                hits[rows, direction * len(TOP) + column] = above < top
    return [(hits[:, column], single) for column in range(hits.shape[1])]


def search_sets(number: int, candidates: int, seed: int) -> list[Numbers]:
    """Return sets of pairs of about equal size, at most `candidates` each, int64 [m] each.

    Args:
        number: number of pairs.
        candidates: most pairs of a set.
        seed: decides the sets.
    """
    order = seeds.child(seed, "crossmodal", "sets").permutation(number)
    return np.array_split(order, -(-number // candidates))


def score_matrix(model: PretrainingModel, pairs: Pairs, max_length: int) -> Floats:
    """Return the alignment of the words of each pair with the codes of each, float64 [n, n].

    Args:
        model: in evaluation mode.
        pairs: n pairs.
        max_length: most tokens of a sequence.
    """
    crossed = [(words, codes) for words in pairs.words for codes in pairs.codes]
    return alignment_scores(model, crossed, max_length).reshape(len(pairs), len(pairs))


def search_chances(pairs: Pairs, candidates: int, seed: int) -> list[Floats]:
    """Return the probability that a random order of a set has a right sequence among the first one, and five.

    Args:
        pairs: the test pairs.
        candidates: size of a set, about.
        seed: decides the sets.

    Returns:
        For one and for five, float64 [n].
    """
    chances = np.zeros((len(pairs), len(TOP)))
    for rows in search_sets(len(pairs), candidates, seed):
        same, size = _same_words(pairs.take(rows)).sum(1), len(rows)
        for column, top in enumerate(TOP):
            missed = np.ones(len(rows))
            for drawn in range(min(top, size)):
                missed *= np.maximum(size - same - drawn, 0) / (size - drawn)
            chances[rows, column] = 1 - missed
    return [chances[:, column] for column in range(len(TOP))]


def _same_words(pairs: Pairs) -> Flags:
    numbers: dict[bytes, int] = {}
    own = np.array([numbers.setdefault(ids.tobytes(), len(numbers)) for ids in pairs.words])
    same: Flags = own[:, None] == own
    return same
