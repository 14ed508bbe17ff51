"""Index arithmetic on concatenated ranges: many ranges of consecutive integers at once, their starts, and splitting."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.integer]
_Value = TypeVar("_Value", bound=np.generic)


def ranges(starts: Numbers, lengths: Numbers) -> NDArray[np.int64]:
    """Return the integers of many ranges, end to end, int64 [sum of lengths].

    Range i is `starts[i], starts[i] + 1, …`, with `lengths[i]` integers.

    Args:
        starts: int64 [n], the first integer of each range.
        lengths: int64 [n], the number of integers in each range.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    indices: NDArray[np.int64] = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - (ends - lengths), lengths)
    return indices


def starts_of(lengths: Numbers) -> NDArray[np.int64]:
    """Return where each of n concatenated ranges starts, int64 [n + 1]; the last entry is where the last range ends.

    Args:
        lengths: int64 [n], the length of each range.
    """
    starts = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


def split_by(lengths: Numbers, values: NDArray[_Value]) -> tuple[NDArray[_Value], ...]:
    """Split an array into consecutive parts of given lengths.

    Args:
        lengths: int64 [parts], the lengths, whose sum is the length of the array.
        values: the array, [n, ...].

    >>> [part.tolist() for part in split_by(np.array([2, 0, 1]), np.array([7, 8, 9]))]
    [[7, 8], [], [9]]
    """
    return tuple(np.split(values, np.cumsum(lengths)[:-1])) if len(lengths) else ()
