"""Read arrays of safetensors and npy files, with clear errors; and tables of an `.npy` with a `.parquet` of words.

The two files of such a table have the vectors and the words in the same order.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from safetensors import SafetensorError, safe_open

from wordworth.errors import BadInput
from wordworth.models.static.lookup import Words
from wordworth.models.static_embeddings import StaticTable
from wordworth.text.read_compressed_file import check_file

_MEND = "fetch or export the file again"


def tensors(path: Path) -> Mapping[str, np.ndarray]:
    """Read every array of a safetensors file; return name -> array of the stored shape.

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
        BadInput: the file is missing, not a regular file, truncated, holds objects, or is not a table of numbers.
    """
    check_file(path)
    try:
        array: np.ndarray = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:  # of other files numpy advises to allow pickles, which run code
        reason = "this is no .npy of numbers" if "pickle" in str(error) else f"not a readable array: {error}"
        raise BadInput(reason, where=str(path), mend=_MEND) from error
    return table(array, path)


def table(array: np.ndarray, path: Path) -> np.ndarray:
    """Return an array unchanged, after checking that it is a table [rows, width] of floating-point numbers.

    Args:
        array: the array, [rows, width] if it is a table.
        path: the file that the array was read from, for the error message.

    Raises:
        BadInput: the array has no numbers, another number of dimensions or another dtype.
    """
    if array.ndim == 2 and 0 in array.shape:  # noqa: PLR2004 - rows and columns
        raise BadInput(
            f"there are no vectors: {array.shape[0]} rows of {array.shape[1]} numbers", where=str(path), mend=_MEND
        )
    if array.ndim != 2 or not np.issubdtype(array.dtype, np.floating):  # noqa: PLR2004 - rows and columns
        shape = " x ".join(map(str, array.shape))
        raise BadInput(
            f"an array of {array.dtype} [{shape}] is not a table of vectors",
            where=str(path),
            mend="give floating-point numbers, one row per vector",
        )
    return array


def read_arrays(vectors: Path, words: Path, name: str) -> StaticTable:
    """Read a static table from an `.npy` of vectors and a `.parquet` of words; vectors stay on disk until used.

    Args:
        vectors: an `.npy`, float [words, width].
        words: a `.parquet` with a column of words in the order of the vectors.
        name: the name of the table.

    Raises:
        BadInput: a file is unreadable or has no column of words, or the two differ in length.
    """
    array = mapped(vectors)
    known = _words(words)
    if len(known) != len(array):
        raise BadInput(
            f"{len(known)} words, but {vectors.name} has {len(array)} vectors",
            where=str(words),
            mend="the two files must come from the same table",
        )
    size = vectors.stat().st_size + words.stat().st_size
    rows = dict(zip(known, range(len(known)), strict=True))
    return StaticTable(name, array, Words(rows), by_frequency=True, disk_bytes=size)


def _words(path: Path) -> list[str]:
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise BadInput(f"not a readable parquet file: {error}", where=str(path)) from error
    for column in table.columns:
        if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
            return [str(word) for word in column.to_pylist()]
    raise BadInput("no column of words", where=str(path), mend="one column must hold text")
