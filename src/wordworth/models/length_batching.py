"""Which sequences go through the model together, and what was done to those that do not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.text.encoding import Tokens
from wordworth.text.windows import take

ROWS_A_BATCH = 2048
"""Budgets between 1,000 and 8,000 rows are alike in speed; this one keeps memory small."""
GRAIN = 8
"""In bfloat16 a sequence takes a multiple of so many rows: 3.5 too many on average, 32 lengths up to 256 tokens."""
LONE = 3
"""Up to so many it takes just the rows it has: pieces between special tokens come by the ten thousands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthReport:
    """What became of texts longer than the model's window.

    Attributes:
        texts: how many there were.
        windowed: how many were read in overlapping windows.
        cut: how many lost tokens.
        dropped: how many tokens were lost in all.
        limit: tokens that fit at once, special ones included.
    """

    texts: int
    limit: int
    windowed: int = 0
    cut: int = 0
    dropped: int = 0

    def __str__(self) -> str:
        did = [f"{self.windowed} read in overlapping windows"] if self.windowed else []
        did += [f"{self.cut} cut ({self.dropped} tokens lost)"] if self.cut else []
        return f"of {self.texts} texts, {' and '.join(did) or 'none'}: longer than {self.limit} tokens"


def rows_of(length: int) -> int:
    """The rows that a sequence takes: its length, up to the next multiple of the grain unless it is very short."""
    return length if length <= LONE else -(-length // GRAIN) * GRAIN


def batches(lengths: Sequence[int], budget: int = ROWS_A_BATCH) -> Iterator[list[int]]:
    """Places of sequences that go together: like lengths side by side, at most `budget` rows or one sequence.

    The longest come first: what needs most memory shows at once, and no thread is left alone with a long end.
    """
    batch: list[int] = []
    total = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__, reverse=True):
        if batch and total + rows_of(lengths[place]) > budget:
            yield batch
            batch, total = [], 0
        batch.append(place)
        total += rows_of(lengths[place])
    if batch:
        yield batch


def cut_pair(tokens: Tokens, limit: int) -> Tokens:
    """A pair's tokens without the ends of its texts: one token at a time goes from the longer, until all fit.

    Devlin et al. 2019, `_truncate_seq_pair` of `run_classifier.py`: the second loses at a tie.
    """
    excess = len(tokens) - limit
    if excess <= 0:
        return tokens
    inner = np.flatnonzero((tokens.offsets != 0).any(axis=1))
    parts = np.split(inner, np.flatnonzero(np.diff(inner) > 1) + 1)
    first, second = parts[0], np.concatenate([inner[:0], *parts[1:]])
    for _ in range(excess):
        if len(first) > len(second):
            first = first[:-1]
        else:
            second = second[:-1]
    gone = np.setdiff1d(inner, np.concatenate([first, second]))
    return take(tokens, np.setdiff1d(np.arange(len(tokens)), gone))
