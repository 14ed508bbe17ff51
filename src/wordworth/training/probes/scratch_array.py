"""Arrays for states that probes read many times: in memory, or in a temporary file if they are large."""

from __future__ import annotations

import tempfile

import numpy as np
from numpy.typing import NDArray

MOST_IN_MEMORY = 2**30
"""Bytes that are kept in memory; larger arrays are in a temporary file, gone with them."""


def scratch_array(shape: tuple[int, ...]) -> NDArray[np.float16]:
    """Return an uninitialised array of float16, in memory or, if it is large, in a temporary file.

    Args:
        shape: the shape of the array.

    Returns:
        float16 [*shape].
    """
    if 2 * int(np.prod(shape, dtype=np.int64)) <= MOST_IN_MEMORY:
        return np.empty(shape, np.float16)
    with tempfile.TemporaryFile() as file:
        return np.memmap(file, np.float16, "w+", shape=shape)
