"""Smaller forms of stored vectors than float32 (cut, int8, bits), judged by the predictions that they give.

The vectors of one half of the labelled rows, the training half, are stored. The prediction for a text of the other half
is a vote of the stored texts nearest to it; for a pair of texts the prediction is the cosine of their vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Predicted
from wordworth.models.int8_and_bit_vectors import (
    Int8Ranges,
    Vectors,
    nearest_by_bits,
    nearest_by_product,
    signs_of,
    to_bits,
)
from wordworth.models.pruning import ModelSize
from wordworth.representations.lazy_feature_sets import cosines
from wordworth.studies.compression_frontier import WHOLE, Candidate
from wordworth.tasks.task import Labels, Rows

NEIGHBOURS, RESCORED = 10, 40
"""Number of nearest texts that vote on a label, and number of nearest texts by bits that are reordered in rescoring."""
_PARTS, _LEAST_WIDTH = (2, 4, 8), 16


@dataclass(frozen=True, slots=True)
class TextVectors:
    """The vectors of n texts, or of both texts of n pairs; each is float32 [n, width], of length 1.

    `first` has the vectors of single texts, or of the first texts of pairs. `second` is None for single texts.
    """

    first: Vectors
    second: Vectors | None = None

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: Rows) -> Self:
        """Return the vectors of the texts, or pairs of texts, in some rows.

        Args:
            rows: int64 [n], indices of the texts or pairs.
        """
        return type(self)(self.first[rows], None if self.second is None else self.second[rows])

    @property
    def every(self) -> Vectors:
        """All vectors end to end, float32 [n, width]; for n pairs of texts float32 [2 n, width]."""
        return self.first if self.second is None else np.concatenate([self.first, self.second])


@dataclass(frozen=True, slots=True)
class Form:
    """A form in which vectors are stored.

    Attributes:
        name: name of the form.
        method: how vectors are made smaller: `cut`, `int8` or `bits`; or `WHOLE` for vectors that are not made smaller.
        width: number of components that a stored vector has.
        num_bytes: bytes of a text's stored vector.
        nearest: function from queries, float32 [queries, width], to the indices of the nearest stored texts, int64
            [queries, NEIGHBOURS].
        similarity: function from the vectors of both texts of pairs to their cosines, float32 [pairs].
    """

    name: str
    method: str
    width: int
    num_bytes: int
    nearest: Callable[[Vectors], NDArray[np.int64]]
    similarity: Callable[[Vectors, Vectors], Vectors]


def form_candidates(known: TextVectors, labels: Labels, classes: int) -> Iterator[Candidate[TextVectors]]:
    """Yield vectors stored as float32, then each smaller form of them, as candidates to be scored and timed.

    Args:
        known: vectors of the training rows, which are stored and decide the value ranges of int8.
        labels: labels of the training rows.
        classes: number of classes; 0 if labels are numbers.
    """
    for form in forms(known.every):
        yield Candidate(
            form.name, _answers(form, known, labels, classes), ModelSize(0, 0, form.width), form.num_bytes, form.method
        )


def forms(stored: Vectors) -> Iterator[Form]:
    """Yield the forms in which vectors can be stored: float32, cut to the first components, int8, and bits.

    Bits come in two forms: with rescoring (the nearest texts by bits are sorted again by the query's float values), and
    without.

    Args:
        stored: the vectors, float32 [n, width], of length 1.
    """
    width = stored.shape[1]
    widths = [width // part for part in _PARTS if width // part >= _LEAST_WIDTH]
    yield _cut(stored, width, WHOLE)
    for left in widths:
        yield _cut(stored, left, f"first {left} numbers")
    yield _in_int8(stored)
    bits = to_bits(stored)
    for name, rescored in (("bits rescored", RESCORED), ("bits", 0)):
        yield _in_bits(name, bits, width, rescored)


def _cut(stored: Vectors, width: int, name: str) -> Form:
    shortened = unit_or_zero(stored[:, :width])

    def nearest(queries: Vectors) -> NDArray[np.int64]:
        return nearest_by_product(unit_or_zero(queries[:, :width]), shortened, NEIGHBOURS)[0]

    def similarity(first: Vectors, second: Vectors) -> Vectors:
        return cosines(first[:, :width], second[:, :width])

    return Form(name, WHOLE if name == WHOLE else "cut", width, 4 * width, nearest, similarity)


def _in_int8(stored: Vectors) -> Form:
    ranges = Int8Ranges.of(stored)

    def rounded(vectors: Vectors) -> Vectors:
        return unit_or_zero(ranges.values(ranges.codes(vectors)))

    held = rounded(stored)
    return Form(
        "int8",
        "int8",
        stored.shape[1],
        stored.shape[1],
        lambda queries: nearest_by_product(rounded(queries), held, NEIGHBOURS)[0],
        lambda first, second: cosines(rounded(first), rounded(second)),
    )


def _in_bits(name: str, bits: NDArray[np.uint8], width: int, rescored: int) -> Form:
    def similarity(first: Vectors, second: Vectors) -> Vectors:
        own = first if rescored else signs_of(to_bits(first), width)
        return cosines(own, signs_of(to_bits(second), width))

    return Form(
        name,
        "bits",
        width,
        bits.shape[1],
        lambda queries: nearest_by_bits(queries, bits, NEIGHBOURS, rescored=rescored)[0],
        similarity,
    )


def _answers(form: Form, known: TextVectors, labels: Labels, classes: int) -> Callable[[TextVectors], Predicted]:
    """Return the function that predicts with a form: the cosine of pairs, or the vote of the nearest texts."""
    if known.second is not None:
        return lambda pairs: form.similarity(pairs.first, _second(pairs)).astype(np.float64)
    gold = _as_numbers(labels, classes)
    return lambda texts: voted(gold, form.nearest(texts.first), several=np.asarray(labels).dtype == np.bool_)


def _second(pairs: TextVectors) -> Vectors:
    assert pairs.second is not None  # noqa: S101 - by the caller
    return pairs.second


def _as_numbers(labels: Labels, classes: int) -> Floats:
    """Return labels as float64 numbers, one-hot [n, classes] for classes, [n] for numbers."""
    values = np.asarray(labels)
    return np.eye(classes)[values] if np.issubdtype(values.dtype, np.integer) else values.astype(np.float64)


def voted(gold: Floats, nearest: NDArray[np.int64], *, several: bool) -> Floats:
    """Predict labels as the weighted mean label of the nearest texts; the i-th nearest has a weight of 1 / i.

    Args:
        gold: labels of the stored texts, float64 [stored, classes]; [stored] if labels are numbers.
        nearest: int64 [queries, neighbours], indices of stored texts, nearest first.
        several: whether a text may have several labels; 0.5 is then subtracted, so that labels with more than half of
            the votes have scores above 0.

    Returns:
        Predictions as metrics read them: float64 scores [queries, classes], or numbers [queries].
    """
    weights = 1 / np.arange(1, nearest.shape[1] + 1)
    votes: Floats = (
        np.tensordot(gold[nearest], weights / weights.sum(), axes=(1, 0))
        if gold.ndim == 1
        else np.einsum("qnc,n->qc", gold[nearest], weights / weights.sum())
    )
    return votes - 0.5 if several else votes
