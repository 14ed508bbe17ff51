"""`nearest`: exact nearest neighbours of queries by cosine, among all rows or those that meet a condition.

A first pass computes all cosines in float32. Its error is bounded, so that every row within the bound of the k-th
largest cosine is a candidate. The cosines of the candidates are computed again in float64, each separately, so that the
result depends neither on how the rows are divided into blocks nor on the machine's kernels. Ties are in the order of
the rows.

With vectors of the precision `bits` the first pass counts the signs in which a row differs from the query, and the rows
with the fewest are the candidates; this search is not exact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Flags, Floats, Integers
from wordworth.retrieval.stored_vectors import StoredVectors, signs_of

CANDIDATES = 5_000
"""Least number of candidates in the precision `bits`: rows whose float16 numbers are compared after all signs."""
_ROWS = 2_048
"""Number of rows that are converted to float32 at once: they stay in the processor's cache."""
_QUERIES = 16
"""Number of queries of one pass: their products with all rows are in memory at once."""
_SHARE = 16
"""If at most one row in `_SHARE` meets the condition, these rows are the candidates, without a first pass."""
_EPSILON = 2.0**-24
_LONGEST = 1.01
"""Upper bound on the length of a stored unit vector, which rounding may make longer than 1."""
_HALF_BITS, _HALF_SCALE = np.int32(np.uint32(0x8FFFE000).astype(np.int32)), 2.0**112


class Nearest(NamedTuple):
    """The best rows for a query, ranked.

    Attributes:
        rows: row numbers in the index, from 0 through all segments in order, the best first, int64 [k].
        scores: scores of the rows, descending, float64 [k]: cosines, BM25 scores or sums of reciprocal ranks.
    """

    rows: Integers
    scores: Floats


def nearest(
    segment_vectors: Sequence[StoredVectors], queries: Floats, k: int, passing: Flags | None = None
) -> Iterator[Nearest]:
    """Yield for each query the `k` rows with the largest cosines, or all rows that may be returned if they are fewer.

    Args:
        segment_vectors: the stored vectors of each segment (rows that were added together); rows are numbered through
            all segments in order.
        queries: unit vectors, float64 [queries, width].
        k: number of rows for each query.
        passing: mask of the rows that may be returned, bool [rows]; None for all.
    """
    allowed = None if passing is None else np.flatnonzero(passing)
    for first in range(0, len(queries), _QUERIES):
        several = queries[first : first + _QUERIES]
        for query, rows in zip(several, _candidates(segment_vectors, several, k, passing, allowed), strict=True):
            yield rescored(segment_vectors, query, rows, k)


def rescored(segment_vectors: Sequence[StoredVectors], query: Floats, rows: Integers, k: int) -> Nearest:
    """Return the `k` rows with the largest cosines to a query among some rows; ties are in the order of the rows.

    Args:
        segment_vectors: the stored vectors of each segment (rows that were added together); rows are numbered through
            all segments in order.
        query: a unit vector, float64 [width].
        rows: numbers of the rows to score, ascending, int64 [n].
        k: largest number of rows to return.
    """
    starts = np.cumsum([0, *map(len, segment_vectors)])
    cosines = np.concatenate(
        [
            vectors.cosines(query, rows[(rows >= start) & (rows < start + len(vectors))] - start)
            for vectors, start in zip(segment_vectors, starts.tolist(), strict=False)
        ]
    )
    order = np.argsort(-cosines, kind="stable")[:k]
    return Nearest(rows[order], cosines[order])


def _candidates(
    segment_vectors: Sequence[StoredVectors], queries: Floats, k: int, passing: Flags | None, allowed: Integers | None
) -> Iterator[Integers]:
    """Yield for each query the candidates: the numbers of the rows that may be among the nearest, int64 [n], ascending.

    `passing` is the mask of the rows that may be returned, and `allowed` has the numbers of the same rows; both are
    None for all rows.
    """
    total = sum(map(len, segment_vectors))
    if allowed is not None and len(allowed) <= max(total // _SHARE, k):
        yield from [allowed] * len(queries)
        return
    if segment_vectors[0].signs is not None:
        yield from (_fewest_differ(segment_vectors, query, max(k, CANDIDATES), passing) for query in queries)
        return
    products = np.empty((total, len(queries)), np.float32)
    start = 0
    for vectors in segment_vectors:
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
    """Return the largest error of a dot product that `write_products` computes in float32.

    Args:
        width: width of the vectors.
    """
    return (width + 4) * _EPSILON * _LONGEST


def write_products(vectors: StoredVectors, queries: Floats, products: NDArray[np.float32]) -> None:
    """Compute the dot product of each stored vector with each query in float32.

    Args:
        vectors: the stored vectors.
        queries: unit vectors, float64 [queries, width].
        products: array that receives the products, float32 [rows, queries].
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
    """Return the numbers of a block as float32, float16 ones divided by 2^112.

    The result is `buffer`, of the block's shape, which is overwritten; or the block itself if it is float32.
    For float16 the bits are moved to their positions in float32, which leaves the exponent 112 too small. numpy's own
    conversion, which converts one number at a time, takes ten times as long.
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


def _fewest_differ(
    segment_vectors: Sequence[StoredVectors], query: Floats, number: int, passing: Flags | None
) -> Integers:
    """Return the `number` rows whose signs differ least from the query's, and all rows that tie with the last one.

    The result has row numbers, int64 [n], ascending, of rows that may be returned (`passing`).
    """
    signs = signs_of(query[None])[:, 0]
    counts = np.concatenate(
        [_differing(vectors.signs, signs) for vectors in segment_vectors if vectors.signs is not None]
    )
    if passing is not None:
        counts[~passing] = np.iinfo(counts.dtype).max
    by_count = np.cumsum(np.bincount(counts if passing is None else counts[passing], minlength=1))
    most = int(np.searchsorted(by_count, min(number, by_count[-1])))
    return np.flatnonzero(counts <= most)


def _differing(stored: NDArray[np.uint64], signs: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """Return for each row the number of signs that differ from a query's, uint16 [rows], computed in blocks of rows.

    Args:
        stored: the packed signs of the rows, as in `StoredVectors.signs`, uint64 [words of 64 bits, rows].
        signs: the packed signs of the query, uint64 [words of 64 bits].
    """
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
