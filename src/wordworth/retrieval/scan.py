"""The nearest rows to a query, among all rows or those that pass a filter: every row is compared, none is guessed.

A first pass in float32 finds the rows that can be among the nearest: its error is bounded, and all rows within the
bound of the k-th are kept. Their products are computed once more in float64, each by itself, so that the result depends
neither on how rows lie in blocks nor on the kernels of the machine. Equal rows keep their order.

In the precision `bits` the first pass counts the signs that differ, and the rows with the fewest are kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Flags, Floats, Integers
from wordworth.retrieval.stored_vectors import StoredVectors, signs_of

CANDIDATES = 5_000
"""Rows of the precision `bits` that are compared by their numbers after the pass over their signs."""
_ROWS = 2_048
"""Rows that are converted at once: they stay in the processor's cache."""
_QUERIES = 16
"""Queries of one pass: their products with all rows are in memory at once."""
_SHARE = 16
"""Where fewer than one row in so many passes a filter, they alone are read."""
_EPSILON = 2.0**-24
_LONGEST = 1.01
"""Bound on the length of a stored vector, which rounding may make longer than 1."""
_HALF_BITS, _HALF_SCALE = np.int32(np.uint32(0x8FFFE000).astype(np.int32)), 2.0**112


class Nearest(NamedTuple):
    """The nearest rows to a query.

    Attributes:
        rows: int64 [k], the nearest first.
        scores: float64 [k], by which they are ranked: cosines, where they are ranked by vectors.
    """

    rows: Integers
    scores: Floats


def nearest(
    segments: Sequence[StoredVectors], queries: Floats, k: int, passing: Flags | None = None
) -> Iterator[Nearest]:
    """Yield for each query the rows with the largest cosines; fewer than `k` only where fewer pass.

    Args:
        segments: the vectors; rows are numbered through all of them.
        queries: float64 [queries, width], of length 1.
        k: number of rows for each query.
        passing: bool [rows], the rows that may be returned; None for all.
    """
    starts = np.cumsum([0, *map(len, segments)])
    allowed = None if passing is None else np.flatnonzero(passing)
    for first in range(0, len(queries), _QUERIES):
        several = queries[first : first + _QUERIES]
        for query, rows in zip(several, _candidates(segments, several, k, passing, allowed), strict=True):
            cosines = np.concatenate(
                [
                    vectors.cosines(query, rows[(rows >= start) & (rows < start + len(vectors))] - start)
                    for vectors, start in zip(segments, starts.tolist(), strict=False)
                ]
            )
            order = np.argsort(-cosines, kind="stable")[:k]
            yield Nearest(rows[order], cosines[order])


def _candidates(
    segments: Sequence[StoredVectors], queries: Floats, k: int, passing: Flags | None, allowed: Integers | None
) -> Iterator[Integers]:
    """Yield for each query the rows that may be among the nearest, in order."""
    total = sum(map(len, segments))
    if allowed is not None and len(allowed) <= max(total // _SHARE, k):
        yield from [allowed] * len(queries)
        return
    if segments[0].signs is not None:
        yield from (_fewest_differ(segments, query, max(k, CANDIDATES), passing) for query in queries)
        return
    products = np.empty((total, len(queries)), np.float32)
    start = 0
    for vectors in segments:
        write_products(vectors, queries, products[start : start + len(vectors)])
        start += len(vectors)
    if passing is not None:
        products[~passing] = -np.inf
    bound = 2 * error_bound(queries.shape[1])
    for number in range(len(queries)):
        column = np.ascontiguousarray(products[:, number])
        least = np.partition(column, total - k)[total - k] - bound if k < total else -np.inf
        yield np.flatnonzero((column >= least) & (column > -np.inf))


def error_bound(width: int) -> float:
    """Return by how much a product of `write_products` differs at most from the product of stored numbers."""
    return (width + 4) * _EPSILON * _LONGEST


def write_products(vectors: StoredVectors, queries: Floats, products: NDArray[np.float32]) -> None:
    """Write the product of each stored vector with each query.

    Args:
        vectors: the vectors.
        queries: float64 [queries, width], of length 1.
        products: float32 [rows, queries], which is written.
    """
    factors = np.ascontiguousarray(queries.T, np.float32)
    if vectors.numbers.dtype == np.float16:
        factors *= np.float32(_HALF_SCALE)
    buffer = np.empty((_ROWS, vectors.width), np.float32)
    for start in range(0, len(vectors), _ROWS):
        block = vectors.numbers[start : start + _ROWS]
        np.matmul(_as_float32(block, buffer[: len(block)]), factors, out=products[start : start + len(block)])
    if vectors.steps is not None:
        products *= vectors.steps[:, None]


def _as_float32(block: NDArray[np.generic], buffer: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return numbers as float32, float16 divided by 2^112: its bits, moved to where float32 has them.

    numpy converts float16 one by one, which takes ten times as long.
    """
    if block.dtype == np.float32:
        return block  # type: ignore[return-value]  # as its dtype says
    if block.dtype == np.float16:
        bits = buffer.view(np.int32)
        np.copyto(bits, block.view(np.int16))
        np.left_shift(bits, 13, out=bits)
        np.bitwise_and(bits, _HALF_BITS, out=bits)
    else:
        np.copyto(buffer, block)
    return buffer


def _fewest_differ(segments: Sequence[StoredVectors], query: Floats, number: int, passing: Flags | None) -> Integers:
    """Return at least `number` rows, those whose signs differ least from the query's, and all that tie with them."""
    signs = signs_of(query[None])[:, 0]
    counts = np.concatenate([_differing(vectors.signs, signs) for vectors in segments if vectors.signs is not None])
    if passing is not None:
        counts[~passing] = np.iinfo(counts.dtype).max
    by_count = np.cumsum(np.bincount(counts if passing is None else counts[passing], minlength=1))
    most = int(np.searchsorted(by_count, min(number, by_count[-1])))
    return np.flatnonzero(counts <= most)


def _differing(stored: NDArray[np.uint64], signs: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """Return the number of signs that differ, uint16 [rows]; a block of rows at a time, which the cache holds."""
    rows, size = stored.shape[1], _ROWS * 16
    counts = np.zeros(rows, np.uint16)
    differing, number = np.empty(size, np.uint64), np.empty(size, np.uint8)
    for start in range(0, rows, size):
        block = counts[start : start + size]
        for row, sign in zip(stored[:, start : start + size], signs, strict=True):
            np.bitwise_xor(row, sign, out=differing[: len(row)])
            np.bitwise_count(differing[: len(row)], out=number[: len(row)])
            block += number[: len(row)]
    return counts
