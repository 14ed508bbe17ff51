"""A feature matrix made of matrices side by side, which are not copied: a product is the sum of the parts' products."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.representations.row_products import Floats, Part, RowProducts


@dataclass(frozen=True, eq=False)
class Blocks:
    """A feature matrix `[factor_1 * part_1, factor_2 * part_2, ...]`, [n, d], kept in parts.

    Attributes:
        parts: float32 matrices [n, d_i], dense or sparse.
        factors: the factor that multiplies each part.
        row_products: the inner products of rows that are known or worth computing, which make `gram_times` faster; None
            to multiply with the parts alone.
    """

    parts: tuple[Part, ...]
    factors: tuple[float, ...]
    row_products: RowProducts | None = None

    @classmethod
    def of(cls, features: Features) -> Blocks:
        """Wrap a dense matrix, a sparse matrix or blocks, [n, d], as `Blocks`."""
        return features if isinstance(features, Blocks) else cls((features,), (1.0,))

    @property
    def shape(self) -> tuple[int, int]:
        """The shape (n, d) of the whole matrix."""
        return self.parts[0].shape[0], sum(part.shape[1] for part in self.parts)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> Blocks:  # noqa: ANN401 - numpy's own indexing is no narrower
        return replace(self, parts=tuple(part[rows] for part in self.parts))

    def times(self, number: float) -> Blocks:
        """Return the feature matrix multiplied by `number`, still in blocks; nothing is copied."""
        return replace(self, factors=tuple(factor * number for factor in self.factors))

    def with_row_products(self, row_products: RowProducts) -> Blocks:
        """Return the same feature matrix, whose `gram_times` uses `row_products` where that is faster."""
        return replace(self, row_products=row_products)

    def hstack(self, other: Blocks) -> Blocks:
        """Return the blocks of the matrix `[self, other]`."""
        return Blocks(self.parts + other.parts, self.factors + other.factors)

    def squared_norm(self) -> float:
        """Return the sum of the squares of all features (the squared Frobenius norm)."""
        square_sums = [np.square(_values(part), dtype=np.float64).sum() for part in self.parts]
        return float(sum(factor**2 * square_sum for factor, square_sum in zip(self.factors, square_sums, strict=True)))

    def __matmul__(self, weights: np.ndarray) -> np.ndarray:
        """Return the product with `weights`, [n, k] from [d, k], or [n] from a vector."""
        total: np.ndarray | None = None
        start = 0
        for part, factor in zip(self.parts, self.factors, strict=True):
            part_product = _scaled(product(part, weights[start : start + part.shape[1]]), factor)
            total = part_product if total is None else total + part_product
            start += part.shape[1]
        return np.asarray(total)

    def gram_times(self, coefficients: np.ndarray) -> np.ndarray:
        """Return `(X X') @ coefficients`, [n, k], where X is the whole matrix and `coefficients` is [n, k]."""
        total: np.ndarray | None = None
        columns = coefficients.size // max(1, len(coefficients))
        for part, transposed, factor in zip(self.parts, self.T.parts, self.factors, strict=True):
            gram = self.row_products.where_faster(part, columns) if self.row_products is not None else None
            of_part = product(part, product(transposed, coefficients)) if gram is None else product(gram, coefficients)
            part_product = _scaled(of_part, factor**2)
            total = part_product if total is None else np.add(total, part_product, out=total)
        return np.asarray(total)

    def inner_products(self, other: Blocks, row_products: RowProducts) -> Floats:
        """Return the inner products of all rows with the rows of other blocks of the same widths, float32 [n, m].

        Args:
            other: blocks with the same features, [m, d].
            row_products: the products of each two parts, which blocks with a part in common share.
        """
        total = np.zeros((len(self), len(other)), np.float32)
        for part, factor, of_other, other_factor in zip(
            self.parts, self.factors, other.parts, other.factors, strict=True
        ):
            total += np.float32(factor * other_factor) * row_products.of(part, of_other)
        return total

    @cached_property
    def T(self) -> _Transposed:  # noqa: N802 - as numpy and scipy call it
        """The transpose of the feature matrix, which can only be multiplied with matrices."""
        return _Transposed(tuple(part.T for part in self.parts), self.factors)

    def compact(self) -> tuple[Blocks, NDArray[np.int64]]:
        """Return the features without the all-zero columns of sparse parts, and the indices of the remaining columns.

        A linear model's weights of all-zero columns are zero, so that a solver can leave these columns out.

        Returns:
            The features [n, remaining columns], and int64 [remaining columns].
        """
        parts: list[Part] = []
        remaining: list[NDArray[np.int64]] = []
        start = 0
        for part in self.parts:
            nonzero = _nonzero_columns(part)
            parts.append(part if len(nonzero) == part.shape[1] else part[:, nonzero])
            remaining.append(nonzero + start)
            start += part.shape[1]
        return replace(self, parts=tuple(parts)), np.concatenate(remaining)

    def toarray(self) -> Floats:
        """Return a dense float32 array, [n, d]."""
        whole = [np.float32(factor) * _dense(part) for part, factor in zip(self.parts, self.factors, strict=True)]
        return np.hstack(whole).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Transposed:
    """The transpose of blocks, which can only be multiplied."""

    parts: tuple[Any, ...]
    factors: tuple[float, ...]

    def __matmul__(self, gradients: np.ndarray) -> np.ndarray:
        """Return the product with `gradients`, [d, k] from [n, k], or [d] from a vector."""
        each = [
            _scaled(product(part, gradients), factor) for part, factor in zip(self.parts, self.factors, strict=True)
        ]
        return each[0] if len(each) == 1 else np.concatenate(each)


Features: TypeAlias = NDArray[np.float32] | csr_matrix | Blocks
"""[n, d], one row per example; for tagging [words, d], the words of all sentences end to end."""


def _nonzero_columns(part: Part) -> NDArray[np.int64]:
    """Return the indices of the columns that may have a nonzero entry, int64, ascending; all of a dense part."""
    if isinstance(part, np.ndarray):
        return np.arange(part.shape[1])
    return np.flatnonzero(np.bincount(part.indices, minlength=part.shape[1]))


def _scaled(values: np.ndarray, factor: float) -> np.ndarray:
    return values if factor == 1 else values * np.float32(factor)


def _values(part: Part) -> np.ndarray:
    return part.data if isinstance(part, csr_matrix) else part


def _dense(part: Part) -> np.ndarray:
    return np.asarray(part.toarray()) if isinstance(part, csr_matrix) else part


MAX_SMALL_PRODUCT = 1_000_000
"""Maximal number of multiplications in a product that OpenBLAS computes without a copy
(`DGEMM_SMALL_MATRIX_PERMIT`)."""
_MAX_COLUMNS = 18
"""With more columns than these, OpenBLAS's copy saves more time than it takes."""


def product(matrix: Any, columns: NDArray[np.float32]) -> NDArray[np.float32]:  # noqa: ANN401 - dense or sparse
    """Return the product of a large matrix with a matrix of few columns, or with a vector.

    A large dense matrix is multiplied with few columns in strips, so small that OpenBLAS does not copy them.

    Args:
        matrix: numpy or scipy matrix [m, n].
        columns: [n, k], or [n] for a single column.

    Returns:
        [m, k], or [m].

    >>> product(np.eye(3, dtype=np.float32), np.ones((3, 2), np.float32)).shape
    (3, 2)
    """
    if not isinstance(matrix, np.ndarray) or columns.ndim == 1 or not _pays_off(matrix, columns.shape[1]):
        whole: NDArray[np.float32] = matrix @ columns
        return whole
    return _strips_of_rows(matrix, columns) if matrix.flags.c_contiguous else _strips_of_columns(matrix, columns)


def _pays_off(matrix: NDArray[np.float32], columns: int) -> bool:
    """Return whether multiplying in strips is faster than OpenBLAS, which copies the matrix of a large product.

    With many columns, the copy saves more time than it takes.
    """
    return columns <= _MAX_COLUMNS and matrix.size * columns > MAX_SMALL_PRODUCT


def _strips_of_rows(matrix: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `matrix @ columns`, computed for one strip of the matrix's rows at a time."""
    height = _height(matrix.shape[1], columns)
    result = np.empty((len(matrix), columns.shape[1]), np.result_type(matrix, columns))
    for first in range(0, len(matrix), height):
        np.matmul(matrix[first : first + height], columns, out=result[first : first + height])
    return result


def _strips_of_columns(matrix: NDArray[np.float32], columns: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `matrix @ columns`, as a sum of products of strips of the matrix's columns with rows of `columns`."""
    height = _height(len(matrix), columns)
    total: NDArray[np.float32] = matrix[:, :height] @ columns[:height]
    for first in range(height, len(columns), height):
        total += matrix[:, first : first + height] @ columns[first : first + height]
    return total


def _height(width: int, columns: NDArray[np.float32]) -> int:
    """Return how many rows or columns of length `width` a strip may have for OpenBLAS to multiply it without a copy."""
    count: int = columns.shape[1]
    return max(1, MAX_SMALL_PRODUCT // max(1, width * count))


_MIN_DEVIATION = 1e-6
"""A column whose deviation is below this fraction of its largest value is constant up to rounding."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """A scaling of features, `(features - mean) * factor`, that gives rows a squared norm of one on average.

    Dense features are standardised by column; sparse ones and blocks are only multiplied, so that zeros stay zeros.

    Attributes:
        mean: float32 [d], the column means; None for sparse features and blocks.
        factor: float32 [d], the factor of each column; [1] for sparse features and blocks.
    """

    mean: NDArray[np.float32] | None
    factor: NDArray[np.float32]

    @classmethod
    def of(cls, features: Features) -> Scaling:
        """Return the scaling for training features [n, d]; a constant column becomes zero."""
        if not isinstance(features, np.ndarray):
            squares = Blocks.of(features).squared_norm() / max(features.shape[0], 1)
            return cls(None, np.array([1 / np.sqrt(squares) if squares > 0 else 1.0], np.float32))
        mean = features.mean(0, dtype=np.float64).astype(np.float32)
        centred = features - mean
        deviation = np.sqrt(np.einsum("nd,nd->d", centred, centred) / max(len(features), 1))
        largest = np.maximum(features.max(0, initial=0), -features.min(0, initial=0))
        varies = deviation > _MIN_DEVIATION * largest
        factor = np.where(varies, 1 / (np.where(varies, deviation, 1.0) * np.sqrt(max(varies.sum(), 1))), 0.0)
        return cls(mean, factor.astype(np.float32))

    def __call__(self, features: Features) -> Blocks:
        """Return the scaled features, in float32."""
        if self.mean is None or not isinstance(features, np.ndarray):
            return Blocks.of(features).times(float(self.factor[0]))
        scaled = features - self.mean
        scaled *= self.factor
        return Blocks((scaled.astype(np.float32, copy=False),), (1.0,))
