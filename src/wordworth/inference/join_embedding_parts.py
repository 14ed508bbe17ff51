"""Join the vectors of many part files into one output file, with one part in memory at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.files import atomic_write, require_writable_file, sweep_neighbours
from wordworth.inference.vector_metadata import INSIDE, KEY, VectorMetadata, path_beside, write_beside
from wordworth.text.file_formats.base import ColumnType, FileFormat
from wordworth.text.file_formats.read import require_writable

_KINDS = (".parquet", ".npy", ".jsonl", ".csv")
_GROUP = 8192


def check_output(out: Path, *, has_ids: bool) -> None:
    """Check before any work that the output can be written and that its format can hold the vectors and the ids.

    Args:
        out: the file to write.
        has_ids: whether rows have ids.

    Raises:
        BadInput: `out` has another suffix than `.parquet`, `.npy`, `.jsonl` and `.csv`; it is a `.npy` and rows have
            ids; its folder cannot be written; or its name is too long.
    """
    if out.suffix not in _KINDS:
        what = f"cannot write {out.suffix or 'a file without a suffix'!r}"
        raise BadInput(what, where=str(out), mend="name it .parquet, .npy, .jsonl or .csv")
    if has_ids and out.suffix == ".npy":
        raise BadInput("a .npy file cannot store ids", where=str(out), mend="write a .parquet, or leave --id out")
    require_writable_file(out)


def join(parts: list[Path], out: Path, metadata: VectorMetadata, ids: Iterable[str] | None) -> None:
    """Write the rows of all parts, each a `.npy` [rows, width], into one file, in order.

    The same parts give the same bytes.

    Args:
        parts: paths of the parts.
        out: a `.parquet`, `.jsonl` or `.csv` with the columns `id` (from `ids`, or the row's number from 0) and
            `vector`, which a `.csv` holds as JSON; or a `.npy` of the vectors alone.
        metadata: the description of the vectors, stored inside a `.parquet`, and for other formats in a `.json` beside
            the file.
        ids: one id per row, or None to number the rows from 0.

    Raises:
        BadInput: `out` cannot be written, or a part is damaged.
    """
    sweep_neighbours(out)
    if out.suffix != INSIDE:
        path_beside(out).unlink(missing_ok=True)  # so that it never describes other vectors
    with atomic_write(out) as neighbour:
        if out.suffix == ".npy":
            _join_npy(parts, neighbour, metadata.width)
        elif out.suffix == INSIDE:
            _join_parquet(parts, neighbour, metadata, ids)
        else:
            _join_rows(parts, neighbour, require_writable(out), ids)
    if out.suffix != INSIDE:
        write_beside(out, metadata)


def _join_rows(parts: list[Path], out: Path, written_as: FileFormat, ids: Iterable[str] | None) -> None:
    row_ids: Iterable[Any] = count() if ids is None else ids
    vectors = (vector for part in _read(parts) for vector in part)
    rows = ({"id": each, "vector": _decimals(vector)} for vector, each in zip(vectors, row_ids, strict=False))
    kind: ColumnType = "integer" if ids is None else "text"
    written_as.write(out, rows, {"id": kind, "vector": "numbers"})


def _decimals(vector: NDArray[np.float32]) -> list[float]:
    """Return the numbers of a vector as the shortest decimals that float32 reads as the same numbers."""
    return [float(str(number)) for number in vector]


def _join_npy(parts: list[Path], out: Path, width: int) -> None:
    rows = sum(np.load(part, mmap_mode="r").shape[0] for part in parts)
    header = {"descr": "<f4", "fortran_order": False, "shape": (rows, width)}
    with out.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for vectors in _read(parts):
            file.write(np.ascontiguousarray(vectors, "<f4").tobytes())


def _join_parquet(parts: list[Path], out: Path, metadata: VectorMetadata, ids: Iterable[str] | None) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    kind, width = pa.int64() if ids is None else pa.string(), metadata.width
    described = {KEY: metadata.to_json().encode()}
    schema = pa.schema([("id", kind), ("vector", pa.list_(pa.float32(), width))], metadata=described)
    remaining, num_written = iter(ids or ()), 0
    with parquet.ParquetWriter(out, schema, compression="none", use_dictionary=False) as writer:
        for vectors in _grouped(_read(parts)):
            row_ids: Any = (
                np.arange(num_written, num_written + len(vectors))
                if ids is None
                else list(islice(remaining, len(vectors)))
            )
            flat = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), width)
            writer.write_table(pa.table([pa.array(row_ids, kind), flat], schema=schema))
            num_written += len(vectors)


def _grouped(parts: Iterable[NDArray[np.float32]]) -> Iterator[NDArray[np.float32]]:
    """Yield neighbouring parts concatenated, so that the file's row groups are large enough to be read efficiently."""
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
