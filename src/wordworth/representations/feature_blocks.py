"""Blocks of features side by side that are never joined: a product with them is the sum of the parts' products."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.representations.products import product

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
