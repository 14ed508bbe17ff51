"""The occurrences of words as they stream past: their means, and sketches of their principal directions."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.directions import principal_direction

Vectors = NDArray[np.float32]
SKETCH = 8
"""Directions kept of a word when its sketch is made smaller. Of at most twice as many occurrences nothing is lost."""


class Occurrences(Protocol):
    """What is kept of the occurrences of each word."""

    def add(self, rows: NDArray[np.int64], vectors: Vectors) -> None:
        """More occurrences: the word of each, int64 [n], and its states, float32 [n, d]."""

    def result(self) -> Vectors:
        """float32 [words, d]: one vector a word; zeros for a word that never came."""
        ...


class Means:
    """The mean of each word's occurrences: 8 bytes a word and dimension."""

    def __init__(self, words: int, width: int) -> None:
        self.sums = np.zeros((words, width))
        self.counts = np.zeros(words, dtype=np.int64)
        self.squares = 0.0  # of the lengths of all occurrences

    def add(self, rows: NDArray[np.int64], vectors: Vectors) -> None:
        """Sums in double precision, in the order of the text."""
        order = np.argsort(rows, kind="stable")
        present, firsts = np.unique(rows[order], return_index=True)
        if len(present):
            self.sums[present] += np.add.reduceat(vectors[order].astype(np.float64), firsts, axis=0)
            np.add.at(self.counts, rows, 1)
            self.squares += float(np.square(vectors, dtype=np.float64).sum())

    def result(self) -> Vectors:
        """The means."""
        return (self.sums / np.maximum(self.counts, 1)[:, None]).astype(np.float32)


class Directions:
    """The first principal direction of each word's occurrences, uncentred, towards their mean.

    A frequent-directions sketch of every word (Liberty 2013; Ghashami et al. 2016, algorithm 2.2): at most twice
    `SKETCH` rows of d numbers a word, however often it occurs. The sketch B of occurrences X is never further from
    them than |X'X - B'B| <= (sum of squares beyond the first k directions) / (SKETCH - k) for any k below SKETCH;
    the more one direction carries of a word's squared length, the closer the first one is to exact.
    """

    def __init__(self, words: int, width: int) -> None:
        self.means = Means(words, width)
        self.sketches: dict[int, Vectors] = {}

    def add(self, rows: NDArray[np.int64], vectors: Vectors) -> None:
        """Occurrences join their word's sketch, which is made smaller each time it is full."""
        self.means.add(rows, vectors)
        order = np.argsort(rows, kind="stable")
        present, firsts = np.unique(rows[order], return_index=True)
        for row, mine in zip(present.tolist(), np.split(vectors[order], firsts[1:]), strict=True):
            held = self.sketches.get(row)
            parts = mine if held is None else np.concatenate([held, mine])
            while len(parts) > 2 * SKETCH:
                parts = np.concatenate([shrunk(parts[: 2 * SKETCH]), parts[2 * SKETCH :]])
            self.sketches[row] = parts

    def result(self) -> Vectors:
        """Directions of length one; a word whose states are all zeros keeps zeros."""
        found = np.zeros(self.means.sums.shape, dtype=np.float32)
        for row, sketch in self.sketches.items():
            found[row] = principal_direction(sketch, towards=self.means.sums[row])
        return found


def shrunk(rows: Vectors) -> Vectors:
    """`SKETCH` rows in place of more: the first directions, each square less the first that is left out."""
    exact = rows.astype(np.float64)
    values, turn = np.linalg.eigh(exact @ exact.T)  # small: there are fewer rows than dimensions
    squares, turned = np.maximum(values[::-1], 0), turn[:, ::-1].T @ exact
    kept = np.maximum(squares[:SKETCH] - squares[SKETCH], 0)
    scale = np.sqrt(kept / np.maximum(squares[:SKETCH], np.finfo(np.float64).tiny))
    found: Vectors = (turned[:SKETCH] * scale[:, None])[kept > 0].astype(np.float32)
    return found
