"""Aggregate the states of each word's occurrences, read as a stream, to one vector: a mean or a principal direction."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.directions import principal_direction

Vectors = NDArray[np.float32]
SKETCH = 8
"""Number of rows to which a word's full sketch is reduced; a sketch of up to twice as many occurrences is exact."""


class Aggregate(Protocol):
    """A running aggregate, such as a mean, of the states of each word's occurrences; the states arrive in parts."""

    def add(self, rows: NDArray[np.int64], vectors: Vectors) -> None:
        """Add n occurrences of words to the aggregates.

        Args:
            rows: int64 [n], the index of the word of each occurrence.
            vectors: float32 [n, d], the state of each occurrence.
        """

    def result(self) -> Vectors:
        """Return one vector per word, float32 [words, d]; zeros for a word without occurrences."""
        ...


class Means:
    """Mean of each word's occurrences, which takes 8 bytes of memory per word and dimension."""

    def __init__(self, words: int, width: int) -> None:
        self.sums = np.zeros((words, width))
        self.counts = np.zeros(words, dtype=np.int64)
        self.squares = 0.0  # sum of the squared lengths of all occurrences

    def add(self, rows: NDArray[np.int64], vectors: Vectors) -> None:
        """Add the states of occurrences to the sums of their words, in float64, in the order of the text.

        Args:
            rows: int64 [n], the index of the word of each occurrence.
            vectors: float32 [n, d], the state of each occurrence.
        """
        order = np.argsort(rows, kind="stable")
        present, firsts = np.unique(rows[order], return_index=True)
        if len(present):
            self.sums[present] += np.add.reduceat(vectors[order].astype(np.float64), firsts, axis=0)
            np.add.at(self.counts, rows, 1)
            self.squares += float(np.square(vectors, dtype=np.float64).sum())

    def result(self) -> Vectors:
        """Return the mean of each word's occurrences, float32 [words, d]; zeros for a word without occurrences."""
        return (self.sums / np.maximum(self.counts, 1)[:, None]).astype(np.float32)


class Directions:
    """First principal direction of each word's occurrences, uncentred, oriented towards their mean.

    The direction is computed from a frequent-directions sketch of each word (Liberty 2013; Ghashami et al. 2016,
    algorithm 2.2): at most 2 * `SKETCH` rows of d numbers, however often the word occurs. Let X be the states of the
    occurrences, and B their sketch. The spectral norm of X'X - B'B is at most s_k / (SKETCH - k) for any k below
    SKETCH. Here s_k is the sum of the squared singular values of X after the first k. The more the first direction
    dominates, the smaller the error of its estimate.
    """

    def __init__(self, words: int, width: int) -> None:
        self.means = Means(words, width)
        self.sketches: dict[int, Vectors] = {}

    def add(self, rows: NDArray[np.int64], vectors: Vectors) -> None:
        """Add occurrences to their words' sketches, each of which is reduced when it is full.

        Args:
            rows: int64 [n], the index of the word of each occurrence.
            vectors: float32 [n, d], the state of each occurrence.
        """
        self.means.add(rows, vectors)
        order = np.argsort(rows, kind="stable")
        present, firsts = np.unique(rows[order], return_index=True)
        for row, word_vectors in zip(present.tolist(), np.split(vectors[order], firsts[1:]), strict=True):
            sketch = self.sketches.get(row)
            extended = word_vectors if sketch is None else np.concatenate([sketch, word_vectors])
            while len(extended) > 2 * SKETCH:
                extended = np.concatenate([shrunk(extended[: 2 * SKETCH]), extended[2 * SKETCH :]])
            self.sketches[row] = extended

    def result(self) -> Vectors:
        """Return each word's direction, of length 1, float32 [words, d]; zeros for a word whose states are zeros."""
        directions = np.zeros(self.means.sums.shape, dtype=np.float32)
        for row, sketch in self.sketches.items():
            directions[row] = principal_direction(sketch, towards=self.means.sums[row])
        return directions


def shrunk(rows: Vectors) -> Vectors:
    """Reduce the rows of a full sketch to at most `SKETCH` rows (Ghashami et al. 2016, algorithm 2.2).

    The rows of the result are the first `SKETCH` singular directions, each scaled by its singular value, after the next
    squared singular value was subtracted from each squared singular value. Rows that become 0 are removed.

    Args:
        rows: [rows, d], the sketch.

    Returns:
        [at most `SKETCH`, d].
    """
    exact = rows.astype(np.float64)
    values, eigenvectors = np.linalg.eigh(exact @ exact.T)  # small: fewer rows than dimensions
    squares, directions = np.maximum(values[::-1], 0), eigenvectors[:, ::-1].T @ exact
    reduced_squares = np.maximum(squares[:SKETCH] - squares[SKETCH], 0)
    scale = np.sqrt(reduced_squares / np.maximum(squares[:SKETCH], np.finfo(np.float64).tiny))
    reduced: Vectors = (directions[:SKETCH] * scale[:, None])[reduced_squares > 0].astype(np.float32)
    return reduced
