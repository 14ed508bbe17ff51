"""Read a file of vectors, one for each row or text, in any format that `embed` writes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.models.static.weights import mapped
from wordworth.text.file_formats.read import format_of, require_format
from wordworth.text_format import count_of

MEND = (
    "give one row of numbers per text: .npy in the order of the data's rows; or .parquet, .csv or .jsonl with a column "
    "`vector` of lists, such as [0.1, 0.2], in that order or with a column of texts"
)
_ID, _TEXT, _VECTOR = "id", "text", "vector"


def is_vectors_file(path: Path) -> bool:
    """Return whether a path is a file of rows that may hold vectors; one of word vectors (.txt, .vec, .bin) is not.

    An .npy is one, unless the words of its vectors are in a .parquet beside it.
    """
    if not path.is_file():
        return False
    if path.suffix == ".npy":
        return not _holds_words(path.with_suffix(".parquet"))
    known = format_of(path)
    return known is not None and known.named


def read_vectors(path: Path) -> tuple[np.ndarray, list[str] | None]:
    """Read the vectors of a file, and the texts that they are of.

    Args:
        path: a .npy; or a .parquet, .csv, .tsv or .jsonl, compressed or not, with the vectors in a column of lists
            (`vector` if there is one of that name), in .parquet also in all columns of floating-point numbers side by
            side.

    Returns:
        The vectors, float [n, d], and their texts: those of the column `text`, else of the first column of texts that
        is not `id`; None if there is no such column, as in the files of `embed`.

    Raises:
        BadInput: the file is unreadable, holds no vectors, or a row has none, or one of another width than the first.
    """
    if path.suffix == ".npy":
        return mapped(path), None
    known = require_format(path, named=True)
    return _of_parquet(path) if ".parquet" in known.suffixes and path.suffix in known.suffixes else _of_rows(path)


def _of_parquet(path: Path) -> tuple[NDArray[np.float32], list[str] | None]:
    try:
        table = parquet.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise BadInput(f"not a readable parquet file: {error}", where=str(path), mend=MEND) from error
    kinds = {name: table.schema.field(name).type for name in table.column_names}
    lists = [name for name, kind in kinds.items() if _is_list(kind)]
    numbers = [name for name, kind in kinds.items() if pa.types.is_floating(kind)]
    texts = [name for name, kind in kinds.items() if pa.types.is_string(kind) or pa.types.is_large_string(kind)]
    if lists:
        vectors = _stacked(table.column(_named(_VECTOR, lists) or lists[0]), path)
    elif numbers:
        vectors = np.stack([table.column(name).to_numpy() for name in numbers], axis=1).astype(np.float32)
    else:
        raise _no_vectors(path)
    named = _text_column(texts)
    return vectors, None if named is None else [str(text) for text in table.column(named).to_pylist()]


def _is_list(kind: Any) -> bool:  # noqa: ANN401 - pyarrow has no types
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _stacked(column: Any, path: Path) -> NDArray[np.float32]:  # noqa: ANN401 - pyarrow has no types
    array = column.combine_chunks()
    flat = np.asarray(array.flatten().to_numpy(zero_copy_only=False), dtype=np.float32)
    widths = [width or 0 for width in pc.list_value_length(array).to_pylist()]
    for row, width in enumerate(widths, start=1):
        _require_width(width, widths[0], f"{path}, row {row}")
    if not widths:
        raise _no_vectors(path)
    return flat.reshape(len(widths), -1)


def _of_rows(path: Path) -> tuple[NDArray[np.float32], list[str] | None]:
    rows, unit = require_format(path).rows(path, None), require_format(path).unit
    first = next(rows, None)
    if first is None:
        raise _no_vectors(path)
    lists = [name for name, cell in first[1].items() if cell.lstrip().startswith("[")]
    if not lists:
        raise _no_vectors(path)
    column = _named(_VECTOR, lists) or lists[0]
    cells_of_text = (name for name, cell in first[1].items() if name == _TEXT or not _is_number(cell))
    named = _text_column([name for name in cells_of_text if name not in lists])
    vectors, texts = list[NDArray[np.float32]](), list[str]()
    for number, cells in chain([first], rows):
        vectors.append(_vector(cells.get(column, ""), f"{path}, {unit} {number}"))
        _require_width(len(vectors[-1]), len(vectors[0]), f"{path}, {unit} {number}")
        texts += [] if named is None else [cells.get(named, "")]
    return np.stack(vectors), None if named is None else texts


def _vector(cell: str, where: str) -> NDArray[np.float32]:
    """Return the numbers of a cell, a JSON array of them, whether they are written as numbers or as text."""
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
    """Return the column of texts: `text`, else the first one that does not hold ids; None if there is none."""
    return _named(_TEXT, columns) or next((name for name in columns if name != _ID), None)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _holds_words(path: Path) -> bool:
    """Return whether a file holds the words of an .npy beside it, not vectors of its own as those of `embed` do."""
    if not path.exists():
        return False
    try:
        types = parquet.read_schema(path).types
    except (OSError, pa.ArrowInvalid):
        return True  # damaged: reading the table says so
    return not any(map(_is_list, types))
