"""`Slots`: where a batch's tokens stand while it goes through the layers.

Kernels are made anew for every shape they meet, which costs more than running them. So each sequence takes a round
number of rows, and the batch as a whole too: a hundred shapes serve every text there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from wordworth.models.schedule import GRAIN, ROWS_A_BATCH

_SMALLEST = 16
_TOGETHER = 1024
"""Rows that attention takes on at once; more would only leave the cache."""


@dataclass(frozen=True, slots=True)
class Group:
    """Sequences with the same number of rows, side by side.

    Attributes:
        first: the row where the first begins.
        number: how many sequences.
        length: rows of each.
        kept: [number, length, 1], 1 where a row holds a token and 0 where not; None where all do.
    """

    first: int
    number: int
    length: int
    kept: Tensor | None

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
    taken = -(-lengths // GRAIN) * GRAIN
    order = np.argsort(taken, kind="stable")
    firsts = np.zeros_like(lengths)
    firsts[order] = np.cumsum(taken[order]) - taken[order]
    rows = np.repeat(firsts - bounds[:-1], lengths) + np.arange(bounds[-1])
    groups = [
        group
        for length in np.unique(taken)
        if length
        for group in _groups(lengths[order], firsts[order], taken[order] == length, dtype)
    ]
    return Slots(_round(int(taken.sum())), torch.from_numpy(rows), tuple(groups))


def _groups(lengths: np.ndarray, firsts: np.ndarray, members: np.ndarray, dtype: torch.dtype) -> Iterator[Group]:
    """The sequences of one number of rows, in groups whose sizes are powers of two."""
    mine, place = lengths[members], int(firsts[members][0])
    length = int(-(-mine[0] // GRAIN) * GRAIN)
    kept = torch.from_numpy(np.arange(length) < mine[:, None]).to(dtype)[:, :, None]
    done = 0
    while done < len(mine):
        number = 1 << (min(len(mine) - done, max(1, _TOGETHER // length)).bit_length() - 1)
        full = bool((mine[done : done + number] == length).all())
        yield Group(place + done * length, number, length, None if full else kept[done : done + number])
        done += number


def _round(rows: int) -> int:
    """The next power of two up to 2048, then the next multiple of it."""
    if rows <= _SMALLEST:
        return _SMALLEST
    return 1 << (rows - 1).bit_length() if rows <= ROWS_A_BATCH else -(-rows // ROWS_A_BATCH) * ROWS_A_BATCH
