"""Products of a tall matrix with a few columns, a strip of it at a time.

Before it multiplies, a linear-algebra library copies a matrix into the order that its kernels want, which pays when
many columns follow. The models of a batch are a few: then the copy takes longer than the product. OpenBLAS takes small
matrices as they are, so a tall one is handed over in strips that it calls small (`benchmarks/strips.py`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_SMALL = 1_000_000
"""Multiplications of a product that OpenBLAS counts as small (`DGEMM_SMALL_MATRIX_PERMIT` of its kernels)."""
_FEW = 18
"""With more columns the copy pays."""


def product(matrix: Any, columns: NDArray[np.float32]) -> NDArray[np.float32]:  # noqa: ANN401 - dense or sparse
    """`matrix @ columns`, [m, k] from [m, n] and [n, k], or a vector from a vector; strips follow the order in memory.

    >>> product(np.eye(3, dtype=np.float32), np.ones((3, 2), np.float32)).shape
    (3, 2)
    """
    if not isinstance(matrix, np.ndarray) or columns.ndim == 1 or not _in_strips(matrix, columns.shape[1]):
        whole: NDArray[np.float32] = matrix @ columns
        return whole
    return _by_rows(matrix, columns) if matrix.flags.c_contiguous else _by_sums(matrix, columns)


def _in_strips(matrix: NDArray[np.float32], columns: int) -> bool:
    """Whether the columns are few and the matrix is too large to be multiplied as it is."""
    return columns <= _FEW and matrix.size * columns > _SMALL


def _by_rows(matrix: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows of the result, a strip of them at a time."""
    height = _height(matrix.shape[1], columns)
    found = np.empty((len(matrix), columns.shape[1]), np.result_type(matrix, columns))
    for first in range(0, len(matrix), height):
        np.matmul(matrix[first : first + height], columns, out=found[first : first + height])
    return found


def _by_sums(matrix: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """The sum of what each strip of the transposed matrix's rows gives."""
    height = _height(len(matrix), columns)
    found: NDArray[np.float32] = matrix[:, :height] @ columns[:height]
    for first in range(height, len(columns), height):
        found += matrix[:, first : first + height] @ columns[first : first + height]
    return found


def _height(width: int, columns: NDArray[np.float32]) -> int:
    """Rows of a strip so wide."""
    count: int = columns.shape[1]
    return max(1, _SMALL // max(1, width * count))
