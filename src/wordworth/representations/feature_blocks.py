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
        shares: a factor each.
    """

    parts: tuple[Part, ...]
    shares: tuple[float, ...]

    @classmethod
    def of(cls, features: Features) -> Blocks:
        """Features of any kind as blocks."""
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
        """Every block times a number."""
        return replace(self, shares=tuple(share * factor for share in self.shares))

    def beside(self, other: Blocks) -> Blocks:
        """This and another's blocks."""
        return Blocks(self.parts + other.parts, self.shares + other.shares)

    def squares(self) -> float:
        """The sum of all squared numbers."""
        each = [np.square(_numbers(part), dtype=np.float64).sum() for part in self.parts]
        return float(sum(share**2 * one for share, one in zip(self.shares, each, strict=True)))

    def __matmul__(self, weights: np.ndarray) -> np.ndarray:
        """[n, k], or [n] from a vector."""
        total: np.ndarray | None = None
        begin = 0
        for part, share in zip(self.parts, self.shares, strict=True):
            found = _times(product(part, weights[begin : begin + part.shape[1]]), share)
            total = found if total is None else total + found
            begin += part.shape[1]
        return np.asarray(total)

    @cached_property
    def T(self) -> _Turned:  # noqa: N802 - as numpy and scipy call it
        """For products from the other side."""
        return _Turned(tuple(part.T for part in self.parts), self.shares)

    def compact(self) -> tuple[Blocks, NDArray[np.int64]]:
        """The blocks without the columns of a sparse part that are zero in every row, and the columns that stay.

        A model's weights of such columns are zero, so that a solver need not carry them.
        """
        parts: list[Part] = []
        stays: list[NDArray[np.int64]] = []
        begin = 0
        for part in self.parts:
            used = _used(part)
            parts.append(part if len(used) == part.shape[1] else part[:, used])
            stays.append(used + begin)
            begin += part.shape[1]
        return replace(self, parts=tuple(parts)), np.concatenate(stays)

    def toarray(self) -> Floats:
        """All blocks as one dense array."""
        whole = [np.float32(share) * _dense(part) for part, share in zip(self.parts, self.shares, strict=True)]
        return np.hstack(whole).astype(np.float32)


@dataclass(frozen=True, slots=True)
class _Turned:
    """The transpose of blocks."""

    parts: tuple[Any, ...]
    shares: tuple[float, ...]

    def __matmul__(self, slopes: np.ndarray) -> np.ndarray:
        """[d, k], or [d] from a vector."""
        each = [_times(product(part, slopes), share) for part, share in zip(self.parts, self.shares, strict=True)]
        return each[0] if len(each) == 1 else np.concatenate(each)


Features: TypeAlias = NDArray[np.float32] | csr_matrix | Blocks
"""[n, d], one row an example; for tagging [words, d], the words of all sentences end to end."""


def _used(part: Part) -> NDArray[np.int64]:
    """The columns that may hold something."""
    if isinstance(part, np.ndarray):
        return np.arange(part.shape[1])
    return np.flatnonzero(np.bincount(part.indices, minlength=part.shape[1]))


def _times(values: np.ndarray, share: float) -> np.ndarray:
    return values if share == 1 else values * np.float32(share)


def _numbers(part: Part) -> np.ndarray:
    return part.data if isinstance(part, csr_matrix) else part


def _dense(part: Part) -> np.ndarray:
    return np.asarray(part.toarray()) if isinstance(part, csr_matrix) else part
