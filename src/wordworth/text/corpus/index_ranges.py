"""Ranges of consecutive integers, many at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.integer]


def ranges(starts: Numbers, lengths: Numbers) -> NDArray[np.int64]:
    """Return the integers `starts[i], starts[i] + 1, …` of each range, `lengths[i]` of them, one range after the other.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    indices: NDArray[np.int64] = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - lengths), lengths)
    return indices


def starts_of(lengths: Numbers) -> NDArray[np.int64]:
    """Return the start of each of n ranges laid end to end, int64 [n + 1]; the last entry is the total."""
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts
