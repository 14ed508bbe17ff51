"""Vectors of words side by side: cosines, and which pairs hang together when pairs are drawn again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Floats, Integers, floats


def unit(vectors: NDArray[np.floating]) -> NDArray[np.floating]:
    """The rows [n, d] at length one; a row of zeros stays one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: NDArray[np.floating] = vectors / np.where(lengths > 0, lengths, 1)
    return scaled


def cosines(first: NDArray[np.floating], second: NDArray[np.floating]) -> Floats:
    """float64 [n]: the cosine of each row of `first` with the same row of `second`; 0 where a row is all zeros."""
    one, two = unit(first.astype(np.float64)), unit(second.astype(np.float64))
    return floats(np.einsum("nd,nd->n", one, two))


def shared_words(first: Sequence[str], second: Sequence[str]) -> Integers:
    """int64 [n], the group each pair is drawn with: a pair goes with whichever of its words stands in more pairs.

    Pairs that share a word are not independent; intervals that take them to be are too short.

    >>> shared_words(["cup", "cup", "sun"], ["tea", "mug", "sea"]).tolist()
    [0, 0, 1]
    """
    often = Counter([*first, *second])
    hubs = [max(pair, key=lambda word: often[word]) for pair in zip(first, second, strict=True)]
    number = {hub: place for place, hub in enumerate(dict.fromkeys(hubs))}
    return np.array([number[hub] for hub in hubs], dtype=np.int64)
