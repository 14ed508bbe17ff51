"""Read arrays from safetensors and npy files, with clear errors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from wordworth.errors import BadInput

_MEND = "fetch or export the file again"


def tensors(path: Path) -> Mapping[str, np.ndarray]:
    """Read every array of a safetensors file.

    Raises:
        BadInput: the file is missing, truncated, not a safetensors file, or has a dtype that numpy lacks (bfloat16).
    """
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    except (OSError, SafetensorError, TypeError) as error:
        raise BadInput(f"not a readable safetensors file: {error}", where=str(path), mend=_MEND) from error


def mapped(path: Path) -> np.ndarray:
    """Memory-map a float array [rows, width] from an npy file.

    Raises:
        BadInput: the file is missing, truncated, holds objects, or is not a table of numbers.
    """
    try:
        array: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadInput(f"not a readable array: {error}", where=str(path), mend=_MEND) from error
    return table(array, path)


def table(array: np.ndarray, path: Path) -> np.ndarray:
    """Return the array after checking that it is a table [rows, width] of floating-point numbers.

    Raises:
        BadInput: it is not.
    """
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.floating) or 0 in array.shape:  # noqa: PLR2004 - rows and columns
        shape = " x ".join(map(str, array.shape))
        raise BadInput(
            f"an array of {array.dtype} [{shape}] is not a table of vectors",
            where=str(path),
            mend="give floating-point numbers, one row per vector",
        )
    return array
