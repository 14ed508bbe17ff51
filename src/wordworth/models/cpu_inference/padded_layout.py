"""`Slots`: where a batch's tokens stand while it goes through the layers.

oneDNN makes its kernels anew for every shape it meets, which costs more than running them. So the batch as a whole
takes a round number of rows, and in bfloat16, where attention's products are oneDNN's as well, each sequence and each
number of sequences too: a hundred shapes serve every text there is. In float32 those products do not care about shapes,
and each sequence takes the rows it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wordworth.models.length_batching import rows_of

_SMALLEST = 16
_STEP = 64
_TOGETHER = 1024
"""Bytes of one column that attention takes on at once; with more, its scores leave the cache nearest to the core."""


_FAR = 1e35
"""So far below every score that its exponential is 0, and still a number in bfloat16."""


@dataclass(frozen=True, slots=True)
class Group:
    """Sequences with the same number of rows, side by side.

    Attributes:
        first: the row where the first begins.
        number: how many sequences.
        length: rows of each.
        kept: [number, length, 1], 1 where a row holds a token and 0 where not; None where all do.
        away: [number, 1, 1, length], what is added to scores of rows that hold none, so that nothing looks there; None
            likewise.
    """

    first: int
    number: int
    length: int
    kept: Tensor | None
    away: Tensor | None

    @property
    def end(self) -> int:
        """One past the last row."""
        return self.first + self.number * self.length


@dataclass(frozen=True, slots=True)
class Slots:
    """Rows for the tokens of a batch.

    Attributes:
        total: number of rows, tokens or not.
        rows: int64 [tokens], the row of each token.
        groups: the sequences by their number of rows.
    """

    total: int
    rows: Tensor
    groups: tuple[Group, ...]

    def spread(self, tokens: Tensor, dtype: torch.dtype) -> Tensor:
        """[tokens, d] to [total, d] in `dtype`, zero where there is no token."""
        return tokens.new_zeros(self.total, tokens.shape[1], dtype=dtype).index_copy_(0, self.rows, tokens.to(dtype))

    def gather(self, rows: Tensor) -> Tensor:
        """[total, d] back to [tokens, d]."""
        return rows.index_select(0, self.rows)


def slots(starts: Tensor, dtype: torch.dtype) -> Slots:
    """Rows for sequences that begin at `starts`, [sequences + 1]; `kept` in `dtype`."""
    bounds = starts.numpy().astype(np.int64)
    lengths = np.diff(bounds)
    taken = lengths if dtype == torch.float32 else np.array([*map(rows_of, lengths.tolist())], np.int64)
    order = np.argsort(taken, kind="stable")
    firsts = np.zeros_like(lengths)
    firsts[order] = np.cumsum(taken[order]) - taken[order]
    rows = np.repeat(firsts - bounds[:-1], lengths) + np.arange(bounds[-1])
    groups = [
        group
        for length in np.unique(taken).tolist()
        if length
        for group in _groups(lengths[order][taken[order] == length], int(firsts[taken == length].min()), length, dtype)
    ]
    return Slots(_round(int(taken.sum())), torch.from_numpy(rows), tuple(groups))


def _groups(lengths: np.ndarray, first: int, length: int, dtype: torch.dtype) -> Iterator[Group]:
    """The sequences that take `length` rows each, from row `first` on, in groups that the cache holds."""
    most, done = max(1, _TOGETHER // dtype.itemsize // length), 0
    while done < len(lengths):
        number = min(len(lengths) - done, most)
        if dtype != torch.float32:
            number = 1 << (number.bit_length() - 1)
        marks = _marks(lengths[done : done + number], length, dtype)
        yield Group(first + done * length, number, length, *marks)
        done += number


def _marks(lengths: np.ndarray, length: int, dtype: torch.dtype) -> tuple[Tensor, Tensor] | tuple[None, None]:
    """`kept` and `away` of a group; nothing where every row holds a token."""
    if (lengths == length).all():
        return None, None
    kept = torch.from_numpy(np.arange(length) < lengths[:, None]).to(dtype)
    return kept[:, :, None], (kept[:, None, None, :] - 1) * _FAR


def _round(rows: int) -> int:
    """The next power of two up to a step, then the next multiple of the step."""
    if rows <= _SMALLEST:
        return _SMALLEST
    return 1 << (rows - 1).bit_length() if rows <= _STEP else -(-rows // _STEP) * _STEP
