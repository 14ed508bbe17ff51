"""Arrays from safetensors and npy files, with a user's words for what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open

from wordworth.errors import BadInput

_MEND = "fetch or export the file again"


def tensors(path: Path) -> Mapping[str, np.ndarray]:
    """Every array of a safetensors file.

    Raises:
        BadInput: the file is missing, truncated, no safetensors file, or holds numbers numpy does not know (bfloat16).
    """
    try:
        with safe_open(path, framework="np") as file:
            return {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    except (OSError, SafetensorError, TypeError) as error:
        raise BadInput(f"not a readable safetensors file: {error}", where=str(path), mend=_MEND) from error


def mapped(path: Path) -> np.ndarray:
    """A float array [rows, width] mapped from an npy file, read as it is used.

    Raises:
        BadInput: the file is missing, truncated, holds objects, or is not a table of numbers.
    """
    try:
        array: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadInput(f"not a readable array: {error}", where=str(path), mend=_MEND) from error
    return table(array, path)


def table(array: np.ndarray, path: Path) -> np.ndarray:
    """The array, if it is a table [rows, width] of floating-point numbers.

    Raises:
        BadInput: it is not.
    """
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.floating) or 0 in array.shape:  # noqa: PLR2004 - rows and columns
        shape = " x ".join(map(str, array.shape))
        raise BadInput(
            f"an array of {array.dtype} [{shape}] is no table of vectors",
            where=str(path),
            mend="give floating-point numbers, one row a vector",
        )
    return array
