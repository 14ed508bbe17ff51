"""Vectors of many parts put together into one file, a part at a time in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import atomic_write, sweep_neighbours

_KINDS = (".parquet", ".npy")
_GROUP = 8192


def check_kind(out: Path, *, named: bool) -> None:
    """Make sure, before the work, that the file asked for can hold what will be in it.

    Raises:
        BadInput: it is neither `.parquet` nor `.npy`, or rows have names and it is a `.npy`.
    """
    if out.suffix not in _KINDS:
        raise BadInput(
            f"cannot write {out.suffix or 'a file without a suffix'!r}", where=str(out), mend="name it .parquet or .npy"
        )
    if named and out.suffix == ".npy":
        raise BadInput("a .npy has no room for ids", where=str(out), mend="write a .parquet, or leave --id out")


def join(parts: list[Path], out: Path, width: int, names: Iterable[str] | None) -> None:
    """Put the parts, each a `.npy` [rows, width], together in their order; the same parts give the same bytes.

    Args:
        parts: where they lie.
        out: a `.parquet` with `id` (the row's name, or its number from 0) and `vector`, or a `.npy`.
        width: numbers a vector.
        names: a name a row, or None for numbers.

    Raises:
        BadInput: `out` cannot be written, or a part is damaged.
    """
    sweep_neighbours(out)
    with atomic_write(out) as neighbour:
        if out.suffix == ".npy":
            _join_npy(parts, neighbour, width)
        else:
            _join_parquet(parts, neighbour, width, names)


def _join_npy(parts: list[Path], out: Path, width: int) -> None:
    rows = sum(np.load(part, mmap_mode="r").shape[0] for part in parts)
    header = {"descr": "<f4", "fortran_order": False, "shape": (rows, width)}
    with out.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for vectors in _read(parts):
            file.write(np.ascontiguousarray(vectors, "<f4").tobytes())


def _join_parquet(parts: list[Path], out: Path, width: int, names: Iterable[str] | None) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    kind = pa.int64() if names is None else pa.string()
    schema = pa.schema([("id", kind), ("vector", pa.list_(pa.float32(), width))])
    given, first = iter(names or ()), 0
    with parquet.ParquetWriter(out, schema, compression="none", use_dictionary=False) as writer:
        for vectors in _grouped(_read(parts)):
            ids: Any = np.arange(first, first + len(vectors)) if names is None else list(islice(given, len(vectors)))
            flat = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), width)
            writer.write_table(pa.table([pa.array(ids, kind), flat], schema=schema))
            first += len(vectors)


def _grouped(parts: Iterable[NDArray[np.float32]]) -> Iterator[NDArray[np.float32]]:
    """Neighbouring parts together, so that a reader of the file finds groups of rows worth their overhead."""
    group: list[NDArray[np.float32]] = []
    for vectors in parts:
        group.append(vectors)
        if sum(map(len, group)) >= _GROUP:
            yield np.concatenate(group)
            group = []
    if group:
        yield np.concatenate(group)


def _read(parts: list[Path]) -> Iterator[NDArray[np.float32]]:
    for part in parts:
        try:
            yield np.load(part, allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise BadInput("this part is damaged", where=str(part), mend="remove it and run again") from error
