"""Blocks of features side by side that are never joined: a product with them is the sum of the parts' products."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Part: TypeAlias = NDArray[np.float32] | csr_matrix
Floats: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Blocks:
    """`[share_1 * part_1, share_2 * part_2, ...]`, [n, d].

    Attributes:
        parts: each [n, d_i].
        shares: a factor for each part.
    """

    parts: tuple[Part, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, features: Features) -> Blocks:
        """Wrap features of any kind as blocks."""
        return features if isinstance(features, Blocks) else cls((features,), (1.0,))

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        return self.parts[0].shape[0], sum(part.shape[1] for part in self.parts)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> Blocks:  # noqa: ANN401 - numpy's own indexing is no narrower
        return replace(self, parts=tuple(part[rows] for part in self.parts))

    def times(self, factor: float) -> Blocks:
        """Return every block times a number."""
        return replace(self, shares=tuple(share * factor for share in self.shares))

    def beside(self, other: Blocks) -> Blocks:
        """Return these blocks and another's."""
        return Blocks(self.parts + other.parts, self.shares + other.shares)

    def squares(self) -> float:
        """Return the sum of all squared numbers."""
        square_sums = [np.square(_numbers(part), dtype=np.float64).sum() for part in self.parts]
        return float(sum(share**2 * square_sum for share, square_sum in zip(self.shares, square_sums, strict=True)))

    def __matmul__(self, weights: np.ndarray) -> np.ndarray:
        """Return the product with weights, [n, k] from [d, k], or [n] from a vector."""
        total: np.ndarray | None = None
        begin = 0
        for part, share in zip(self.parts, self.shares, strict=True):
            part_product = _times(product(part, weights[begin : begin + part.shape[1]]), share)
            total = part_product if total is None else total + part_product
            begin += part.shape[1]
        return np.asarray(total)

    @cached_property
    def T(self) -> _Transposed:  # noqa: N802 - as numpy and scipy call it
        """The transpose, for products only."""
        return _Transposed(tuple(part.T for part in self.parts), self.shares)

    def compact(self) -> tuple[Blocks, NDArray[np.int64]]:
        """Return the blocks without columns that are zero in every row of a sparse part, and the remaining columns.

        A model's weights of such columns are zero, so that a solver need not carry them.
        """
        parts: list[Part] = []
        remaining: list[NDArray[np.int64]] = []
        begin = 0
        for part in self.parts:
            used = _used(part)
            parts.append(part if len(used) == part.shape[1] else part[:, used])
            remaining.append(used + begin)
            begin += part.shape[1]
        return replace(self, parts=tuple(parts)), np.concatenate(remaining)

    def toarray(self) -> Floats:
        """Return all blocks as one dense array."""
        whole = [np.float32(share) * _dense(part) for part, share in zip(self.parts, self.shares, strict=True)]
        return np.hstack(whole).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Transposed:
    """The transpose of blocks."""

    parts: tuple[Any, ...]
    shares: tuple[float, ...]

    def __matmul__(self, slopes: np.ndarray) -> np.ndarray:
        """Return the product with slopes, [d, k] from [n, k], or [d] from a vector."""
        each = [_times(product(part, slopes), share) for part, share in zip(self.parts, self.shares, strict=True)]
        return each[0] if len(each) == 1 else np.concatenate(each)


Features: TypeAlias = NDArray[np.float32] | csr_matrix | Blocks
"""[n, d], one row per example; for tagging [words, d], the words of all sentences end to end."""


def _used(part: Part) -> NDArray[np.int64]:
    """Return the columns that may have a nonzero entry."""
    if isinstance(part, np.ndarray):
        return np.arange(part.shape[1])
    return np.flatnonzero(np.bincount(part.indices, minlength=part.shape[1]))


def _times(values: np.ndarray, share: float) -> np.ndarray:
    return values if share == 1 else values * np.float32(share)


def _numbers(part: Part) -> np.ndarray:
    return part.data if isinstance(part, csr_matrix) else part


def _dense(part: Part) -> np.ndarray:
    return np.asarray(part.toarray()) if isinstance(part, csr_matrix) else part


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


_STILL = 1e-6
"""A column whose deviation is below this fraction of its largest value holds rounding, not information."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """`(features - mean) * factor`: rows of squared norm one on average.

    Dense columns are standardised first; sparse ones keep their zeros and their weights.

    Attributes:
        mean: float32 [d], or None for sparse features and blocks.
        factor: float32 [d], or [1] for sparse features and blocks.
    """

    mean: NDArray[np.float32] | None
    factor: NDArray[np.float32]

    @classmethod
    def of(cls, features: Features) -> Scaling:
        """Learn the scaling of training features [n, d]; a column that never varies becomes zero."""
        if not isinstance(features, np.ndarray):
            squares = Blocks.of(features).squares() / max(features.shape[0], 1)
            return cls(None, np.array([1 / np.sqrt(squares) if squares > 0 else 1.0], np.float32))
        mean = features.mean(0, dtype=np.float64).astype(np.float32)
        centred = features - mean
        deviation = np.sqrt(np.einsum("nd,nd->d", centred, centred) / max(len(features), 1))
        largest = np.maximum(features.max(0, initial=0), -features.min(0, initial=0))
        varies = deviation > _STILL * largest
        factor = np.where(varies, 1 / (np.where(varies, deviation, 1.0) * np.sqrt(max(varies.sum(), 1))), 0.0)
        return cls(mean, factor.astype(np.float32))

    def __call__(self, features: Features) -> Blocks:
        """Return scaled features in float32, which halves the solver's time and changes no prediction."""
        if self.mean is None or not isinstance(features, np.ndarray):
            return Blocks.of(features).times(float(self.factor[0]))
        scaled = features - self.mean
        scaled *= self.factor
        return Blocks((scaled.astype(np.float32, copy=False),), (1.0,))
