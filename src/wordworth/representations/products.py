"""Products of a tall matrix with a few columns, one strip of rows at a time.

Before it multiplies, a BLAS library copies a matrix into the layout that its kernels want, which pays off when many
columns follow. The models of a batch are few: then the copy takes longer than the product. OpenBLAS does not copy small
matrices, so a tall one is passed in strips that it counts as small (`benchmarks/strips.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SMALL = 1_000_000
"""Multiplications in a product that OpenBLAS counts as small (`DGEMM_SMALL_MATRIX_PERMIT` of its kernels)."""
_FEW = 18
"""With more columns the copy pays off."""


def product(matrix: Any, columns: NDArray[np.float32]) -> NDArray[np.float32]:  # noqa: ANN401 - dense or sparse
    """Return `matrix @ columns`, [m, k] from [m, n] and [n, k], or a vector from a vector, in strips of memory.

    >>> product(np.eye(3, dtype=np.float32), np.ones((3, 2), np.float32)).shape
    (3, 2)
    """
    if not isinstance(matrix, np.ndarray) or columns.ndim == 1 or not _in_strips(matrix, columns.shape[1]):
        whole: NDArray[np.float32] = matrix @ columns
        return whole
    return _by_rows(matrix, columns) if matrix.flags.c_contiguous else _by_sums(matrix, columns)


def _in_strips(matrix: NDArray[np.float32], columns: int) -> bool:
    """Whether the columns are few and the matrix is too large to be multiplied at once."""
    return columns <= _FEW and matrix.size * columns > _SMALL


def _by_rows(matrix: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compute the result one strip of rows at a time."""
    height = _height(matrix.shape[1], columns)
    result = np.empty((len(matrix), columns.shape[1]), np.result_type(matrix, columns))
    for first in range(0, len(matrix), height):
        np.matmul(matrix[first : first + height], columns, out=result[first : first + height])
    return result


def _by_sums(matrix: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Compute the result as the sum of the products of strips of columns with strips of rows."""
    height = _height(len(matrix), columns)
    total: NDArray[np.float32] = matrix[:, :height] @ columns[:height]
    for first in range(height, len(columns), height):
        total += matrix[:, first : first + height] @ columns[first : first + height]
    return total


def _height(width: int, columns: NDArray[np.float32]) -> int:
    """Return the number of rows in a strip of this width."""
    count: int = columns.shape[1]
    return max(1, _SMALL // max(1, width * count))
