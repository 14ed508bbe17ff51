"""Runs of consecutive numbers, many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.integer]


def ranges(starts: Numbers, lengths: Numbers) -> NDArray[np.int64]:
    """`starts[i], starts[i] + 1, …` of each length, one run after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    found: NDArray[np.int64] = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - lengths), lengths)
    return found


def starts_of(lengths: Numbers) -> NDArray[np.int64]:
    """int64 [n + 1]: where each of n runs begins when they stand end to end; their total last."""
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts
