"""Word and relation similarity by cosines, and the groups of dependent pairs for a bootstrap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Integers, floats


def cosines(first: NDArray[np.floating], second: NDArray[np.floating]) -> Floats:
    """Return the cosine of row i of `first` with row i of `second`, float64 [n]; 0 where a row is a zero vector.

    Args:
        first: [n, width].
        second: [n, width].
    """
    first_units, second_units = unit_or_zero(first.astype(np.float64)), unit_or_zero(second.astype(np.float64))
    return floats(np.einsum("nd,nd->n", first_units, second_units))


def shared_words(first: Sequence[str], second: Sequence[str]) -> Integers:
    """Return the index of the group with which a bootstrap draws each pair of words, int64 [n].

    The pairs of a group share a word: each pair is in the group of its more frequent word (the word in more pairs).
    Pairs that share a word are dependent; intervals that treat them as independent are too short.

    Args:
        first: the first word of each pair.
        second: the second word of each pair.

    >>> shared_words(["cup", "cup", "sun"], ["tea", "mug", "sea"]).tolist()
    [0, 0, 1]
    """
    frequency = Counter([*first, *second])
    hubs = [max(pair, key=lambda word: frequency[word]) for pair in zip(first, second, strict=True)]
    group_of = {hub: index for index, hub in enumerate(dict.fromkeys(hubs))}
    return np.array([group_of[hub] for hub in hubs], dtype=np.int64)


def relation_similarity(examples: NDArray[np.floating], pairs: NDArray[np.floating]) -> Floats:
    """Return how similar each pair of words is to a relation, which is given by example pairs, float64 [n].

    The similarity is the dot product of two differences, left vector minus right vector: the difference of the pair,
    and the mean difference of the example pairs. As in the published benchmark of SemEval-2012 task 2, differences are
    not normalised.

    Args:
        examples: [m, 2, d], the vectors of the left and right words of the example pairs.
        pairs: [n, 2, d], the vectors of the left and right words of the pairs to measure.
    """
    prototype = (examples[:, 0] - examples[:, 1]).astype(np.float64).mean(axis=0)
    return floats((pairs[:, 0] - pairs[:, 1]).astype(np.float64) @ prototype)
