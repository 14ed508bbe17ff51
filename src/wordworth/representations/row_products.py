"""`RowProducts`: the inner products of the rows of feature matrices, each pair of matrices multiplied once.

A linear model with fewer items than features is fitted on the inner products of its items alone. Where texts are long,
their matrix [n, n] is smaller than the sparse features, and a product with it is several times faster.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Part: TypeAlias = NDArray[np.float32] | csr_matrix
Floats: TypeAlias = NDArray[np.float32]

MOST_ROWS, MOST_ROWS_FOR_MANY = 2_048, 4_096
"""The most rows whose inner products are computed only to save time, and the most where many columns are multiplied.
They take 16 and 64 MB."""
MANY_COLUMNS = 32
"""From so many columns on, a product with the inner products gains most."""
_MOST_ENTRIES, _MOST_ENTRIES_FOR_MANY = 4, 12
"""The most entries of the inner products for each nonzero entry of a sparse matrix: a product with them is then at
least twice as fast, so that the fits of a grid search make up for computing them."""
LEAST_COLUMNS = 3
"""With fewer columns to multiply, a fit has too few products to make up for computing the inner products."""
_FREQUENT = 32
"""A column with a nonzero entry in more than one of `_FREQUENT` rows is multiplied as a dense column."""


class RowProducts:
    """The inner products of the rows of feature matrices, computed once for each two matrices.

    Matrices are recognised by their identity. They are kept, so that no later matrix has the identity of one of them.
    """

    def __init__(self, least_columns: int = LEAST_COLUMNS) -> None:
        """Make it without products; `least_columns` are the fewest columns for which `where_faster` computes any."""
        self._least_columns = least_columns
        self._known: dict[tuple[int, int], tuple[Part, Part, Floats]] = {}

    def __len__(self) -> int:
        """Return the number of pairs of matrices that were multiplied."""
        return len(self._known)

    def of(self, first: Part, second: Part) -> Floats:
        """Return `first @ second'`, float32 [n, m].

        Args:
            first: [n, d].
            second: [m, d].
        """
        key = id(first), id(second)
        if key not in self._known:
            self._known[key] = first, second, inner_products(first, second)
        return self._known[key][2]

    def where_faster(self, part: Part, columns: int) -> Floats | None:
        """Return `part @ part'`, float32 [n, n], if a fit is faster with it than with two products with `part`.

        Args:
            part: [n, d].
            columns: number of columns that the matrix is multiplied with.

        Returns:
            None if the fit is not faster, as with dense features, short texts, or many items.
        """
        if isinstance(part, np.ndarray) or columns < self._least_columns:
            return None
        many, rows = columns >= MANY_COLUMNS, part.shape[0]
        most_entries = part.nnz * (_MOST_ENTRIES_FOR_MANY if many else _MOST_ENTRIES)
        pays_off = rows <= (MOST_ROWS_FOR_MANY if many else MOST_ROWS) and rows**2 <= most_entries
        return self.of(part, part) if pays_off else None


def inner_products(first: Part, second: Part) -> Floats:
    """Return `first @ second'`, float32 [n, m]; frequent columns of sparse matrices are multiplied as dense ones.

    Args:
        first: [n, d].
        second: [m, d], of the same kind as `first`.
    """
    if isinstance(first, np.ndarray) or isinstance(second, np.ndarray):
        return np.asarray(first @ second.T, dtype=np.float32)
    frequent = np.bincount(first.indices, minlength=first.shape[1]) > first.shape[0] / _FREQUENT
    dense = first[:, frequent].toarray()
    total = dense @ (dense if second is first else second[:, frequent].toarray()).T
    total += (first[:, ~frequent] @ second[:, ~frequent].T).toarray()
    return np.asarray(total, dtype=np.float32)
