"""Weighted sums of per-item statistics: one sparse matrix product gives a metric on a thousand resampled test sets.

A bootstrap draw of n items is a vector of counts, one per item. All that a metric needs from the resampled set (hits,
class sizes, moments) is then `statistics @ counts`. The counts are whole numbers, so that metrics of counts are exact,
in any order of summation and on any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix  # a tenth of a second, which vectors alone need not

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
Gold: TypeAlias = np.ndarray | tuple[Integers, ...]
"""int64 [n] classes; float64 [n] values; bool [n, classes]; or one int64 [words] array of tags per sentence."""
Predicted: TypeAlias = Floats | tuple[Integers, ...]
"""float64 [n, classes] scores; float64 [n] values; or one int64 [words] array of tags per sentence."""
Rule: TypeAlias = Callable[[Gold, Predicted, Floats], Floats]
"""(gold, predictions, weights [draws, items]) -> the metric of each resampled set, float64 [draws]."""


def floats(values: object) -> Floats:
    """Return the values as a float64 array of the same shape.

    The function exists for type checkers, since numpy's stubs often lose the type.
    """
    return np.asarray(values, dtype=np.float64)


def indicator(rows: NDArray[np.integer], num_rows: int, values: NDArray[np.generic] | None = None) -> csc_matrix:
    """Return a sparse matrix [num_rows, items] with an entry for each item in every row that `rows` names for it.

    Entries of an item in the same row are added.

    Args:
        rows: int [items], the row of each item; or [items, k], the k rows of each item.
        num_rows: number of rows of the matrix.
        values: the value of each entry, in the shape of `rows`; None sets all to 1.
    """
    from scipy.sparse import csc_matrix

    data = np.ones(rows.size) if values is None else np.asarray(values, dtype=np.float64).ravel()
    starts = np.arange(len(rows) + 1) * (rows.size // max(len(rows), 1))
    return csc_matrix((data, rows.ravel(), starts), shape=(num_rows, len(rows)))


def stacked(*statistics: csc_matrix | NDArray[np.generic]) -> csc_matrix:
    """Stack statistics of items into a sparse matrix [k, items].

    Args:
        statistics: dense arrays [items], each of which becomes one row, or [j, items], which become j rows; or sparse
            matrices [j, items].
    """
    from scipy.sparse import csc_matrix, vstack

    return vstack([csc_matrix(np.atleast_2d(s)) if isinstance(s, np.ndarray) else s for s in statistics], format="csc")


def weighted(statistics: csc_matrix | NDArray[np.generic], weights: Floats) -> Floats:
    """Return the weighted sums of k statistics over items, float64 [k, draws].

    Args:
        statistics: [k, items], or [items] for one statistic.
        weights: float64 [draws, items], how often each item is in each bootstrap resample (draw).
    """
    if isinstance(statistics, np.ndarray) and len(weights) == 1:  # one sum takes less time than a sparse matrix
        return floats(np.einsum("ki,i->k", np.atleast_2d(statistics), weights[0])[:, None])
    matrix = stacked(statistics) if isinstance(statistics, np.ndarray) else statistics
    return floats(matrix @ np.ascontiguousarray(weights.T))


def ratio(above: Floats, below: Floats, otherwise: float = 0.0) -> Floats:
    """Return `above / below` elementwise, and `otherwise` where `below` is 0.

    Args:
        above: the numerators, float64 of any shape.
        below: the denominators, float64 of the same shape, or of a shape that broadcasts with it.
        otherwise: the result where the denominator is 0.
    """
    shape = np.broadcast(above, below).shape
    return floats(np.divide(above, below, out=np.full(shape, otherwise), where=below != 0))
