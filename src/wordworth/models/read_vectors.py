"""Read a file of vectors, one for each text or row of a data set, in any format that `embed` writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.files import require_regular
from wordworth.json_file import parse_json
from wordworth.models.static.array_files import mapped
from wordworth.sentence_formatting import count_of
from wordworth.text.file_formats.read import format_of, require_format

MEND = (
    "give one row of numbers per text: .npy in the order of the data's rows; or .parquet, .csv or .jsonl with a column "
    "`vector` of lists, such as [0.1, 0.2], in that order or with a column of texts"
)
_AT_ONCE = 4_096
_ID, _TEXT, _VECTOR = "id", "text", "vector"


def is_vectors_file(path: Path) -> bool:
    """Return whether a path is a file that may hold vectors of texts or of rows of a data set, not of words.

    True for a format with named columns, such as .parquet or .csv; for an `.npy`, unless a `.parquet` of words lies
    beside it. False for .txt, .vec and .bin.
    """
    if not path.is_file():
        return False
    if path.suffix == ".npy":
        return not _holds_words(path.with_suffix(".parquet"))
    known = format_of(path)
    return known is not None and known.named


def read_vectors(path: Path) -> tuple[np.ndarray, list[str] | None]:
    """Read the vectors of a file, and the text of each vector where the file has texts.

    Args:
        path: a .npy; or a .parquet, .csv, .tsv or .jsonl, compressed or not, with the vectors in a column of lists
            (`vector` is preferred to other names). In a .parquet, all columns of floating-point numbers side by side
            are also read as vectors.

    Returns:
        The vectors, float [n, d], and their texts: the cells of the column `text`, else of the first column of texts
        that is not `id`. If the file has no such column, as in the files that `embed` writes, None is returned in place
        of the texts.

    Raises:
        BadInput: the file is unreadable, has no column of vectors, or a row has no vector, or a vector has another
            width than the first.
    """
    if path.suffix == ".npy":
        return mapped(path), None
    vectors, texts = zip(*vector_blocks(path), strict=True)
    return np.concatenate(vectors), None if texts[0] is None else list(chain.from_iterable(texts))


def vector_blocks(path: Path) -> Iterator[tuple[NDArray[np.float32], list[str] | None]]:
    """Yield the vectors of a file, float32 [rows, d], and their texts, some thousand rows at a time.

    The formats are the formats of `read_vectors`. None is yielded in place of the texts if the file has no texts.

    Raises:
        BadInput: the file is unreadable, has no column of vectors, or its vectors differ in width.
    """
    if path.suffix == ".npy":
        return ((block, None) for block in _npy_blocks(path))
    return _parquet_blocks(path) if _is_parquet(path) else _row_blocks(path)


def shape_of_vectors(path: Path) -> tuple[int, int]:
    """Return the number of vectors in a file and their width; formats other than `.npy` and `.parquet` are read whole.

    Raises:
        BadInput: the file is unreadable, has no column of vectors, or its vectors differ in width.
    """
    if path.suffix == ".npy":
        rows, width = mapped(path).shape
        return rows, width
    if _is_parquet(path):
        with _opened(path) as file:
            return file.metadata.num_rows, next(vector_blocks(path))[0].shape[1]
    shapes = [block.shape for block, _ in vector_blocks(path)]
    return sum(rows for rows, _ in shapes), shapes[0][1]


def _is_parquet(path: Path) -> bool:
    suffixes = require_format(path, named=True).suffixes
    return ".parquet" in suffixes and path.suffix in suffixes


def _npy_blocks(path: Path) -> Iterator[NDArray[np.float32]]:
    """Yield the vectors of a `.npy` in blocks; the file is not mapped, as mapped pages stay in memory."""
    vectors = mapped(path)
    if not isinstance(vectors, np.memmap) or not vectors.flags.c_contiguous:
        for start in range(0, len(vectors), _AT_ONCE):
            yield np.asarray(vectors[start : start + _AT_ONCE], np.float32)
        return
    rows, width = vectors.shape
    with path.open("rb") as file:
        file.seek(vectors.offset)
        for start in range(0, rows, _AT_ONCE):
            numbers = np.fromfile(file, vectors.dtype, min(_AT_ONCE, rows - start) * width)
            yield np.asarray(numbers.reshape(-1, width), np.float32)


@contextmanager
def _opened(path: Path) -> Iterator[parquet.ParquetFile]:
    require_regular(path)
    try:
        with parquet.ParquetFile(path) as file:
            yield file
    except (OSError, pa.ArrowException) as error:
        raise BadInput(f"not a readable parquet file: {error}", where=str(path), mend=MEND) from error


def _parquet_blocks(path: Path) -> Iterator[tuple[NDArray[np.float32], list[str] | None]]:
    with _opened(path) as file:
        vectors, named = _columns(file.schema_arrow, path)
        first, start = 0, 0
        for batch in file.iter_batches(batch_size=_AT_ONCE, columns=[*vectors, *([named] if named else [])]):
            if _is_list(batch.schema.field(vectors[0]).type):
                block = _stacked(batch.column(vectors[0]), first, start, path)
            else:
                parts = [batch.column(name).to_numpy(zero_copy_only=False) for name in vectors]
                block = np.stack(parts, axis=1).astype(np.float32)
            first, start = block.shape[1], start + len(block)
            yield block, None if named is None else [str(text) for text in batch.column(named).to_pylist()]
        if not start:
            raise _no_vectors(path)


def _columns(schema: Any, path: Path) -> tuple[list[str], str | None]:  # noqa: ANN401 - pyarrow has no types
    """Return (names of the columns of vectors, name of the column of texts or None).

    The vectors are in one column of lists, or in all columns of floating-point numbers side by side.
    """
    kinds = {name: schema.field(name).type for name in schema.names}
    lists = [name for name, kind in kinds.items() if _is_list(kind)]
    numbers = [name for name, kind in kinds.items() if pa.types.is_floating(kind)]
    texts = [name for name, kind in kinds.items() if pa.types.is_string(kind) or pa.types.is_large_string(kind)]
    if not (lists or numbers):
        raise _no_vectors(path)
    return [_named(_VECTOR, lists) or lists[0]] if lists else numbers, _text_column(texts)


def _is_list(kind: Any) -> bool:  # noqa: ANN401 - pyarrow has no types
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _stacked(array: Any, first: int, start: int, path: Path) -> NDArray[np.float32]:  # noqa: ANN401 - pyarrow has no types
    """Return a column of lists as vectors, float32 [rows, width].

    Args:
        array: the column, an array of pyarrow.
        first: width of the first vector of the file; 0 if `array` begins with this vector.
        start: number of rows of the file before `array`, for errors.
        path: the file, for errors.
    """
    flat = np.asarray(array.flatten().to_numpy(zero_copy_only=False), dtype=np.float32)
    widths = [width or 0 for width in pc.list_value_length(array).to_pylist()]
    for row, width in enumerate(widths, start=start + 1):
        _require_width(width, first or widths[0], f"{path}, row {row}")
    return flat.reshape(len(widths), -1)


def _row_blocks(path: Path) -> Iterator[tuple[NDArray[np.float32], list[str] | None]]:
    rows, unit = require_format(path).rows(path, None), require_format(path).unit
    head = next(rows, None)
    lists = [] if head is None else [name for name, cell in head[1].items() if cell.lstrip().startswith("[")]
    if head is None or not lists:
        raise _no_vectors(path)
    column = _named(_VECTOR, lists) or lists[0]
    cells_of_text = (name for name, cell in head[1].items() if name == _TEXT or not _is_number(cell))
    named = _text_column([name for name in cells_of_text if name not in lists])
    first, rows = 0, chain([head], rows)
    while block := list(islice(rows, _AT_ONCE)):
        vectors = list[NDArray[np.float32]]()
        for number, cells in block:
            vectors.append(_vector(cells.get(column, ""), f"{path}, {unit} {number}"))
            first = first or len(vectors[0])
            _require_width(len(vectors[-1]), first, f"{path}, {unit} {number}")
        yield np.stack(vectors), None if named is None else [cells.get(named, "") for _, cells in block]


def _vector(cell: str, where: str) -> NDArray[np.float32]:
    """Return the vector in a cell, float32 [width]: a JSON array of numbers, or of numbers written as strings."""
    try:
        vector = np.asarray(parse_json(cell) if cell.strip() else [], dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{cell!r:.60} is no list of numbers", where=where, mend=MEND) from error
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise BadInput(f"{cell!r:.60} is no list of finite numbers", where=where, mend=MEND)
    return vector


def _require_width(width: int, first: int, where: str) -> None:
    if width != first or not width:
        what = f"vectors are of several widths: {count_of(width, 'number')}, where the first row has {first:,}"
        raise BadInput(what if width else "this row has no vector", where=where, mend=MEND)


def _no_vectors(path: Path) -> BadInput:
    return BadInput("no column of vectors", where=str(path), mend=MEND)


def _named(name: str, columns: Sequence[str]) -> str | None:
    return name if name in columns else None


def _text_column(columns: Sequence[str]) -> str | None:
    """Return the name of the column of texts: `text`, else the first that is not `id`; None without such a column."""
    return _named(_TEXT, columns) or next((name for name in columns if name != _ID), None)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _holds_words(path: Path) -> bool:
    """Return whether a `.parquet` holds the words of an `.npy` beside it; a file of `embed` holds vectors instead."""
    if not path.exists():
        return False
    try:
        types = parquet.read_schema(path).types
    except (OSError, pa.ArrowInvalid):
        return True  # damaged: reading the table says so
    return not any(map(_is_list, types))
