"""Files of texts of any size, read a few thousand rows at a time and never held in memory whole."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput, nearest
from wordworth.files import require_regular
from wordworth.text.delimited import delimited
from wordworth.text.guess_encoding import to_utf8
from wordworth.text.lines import lines, start_of
from wordworth.text.raw_file import check_file, check_no_spreadsheet, suffix_of
from wordworth.text.tables.jsonl import cell, json_object
from wordworth.text.tables.table import check_names

_PIECE = 1 << 20
_MOST_ROWS, _MOST_BYTES = 256, 1 << 24
"""Rows and average bytes of one Parquet batch: a single row may be a whole book."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are read of each row.

    Attributes:
        text: the column of texts; a `.txt` has none, each of its lines is a text.
        name: the column of row ids; None where the row number serves.
    """

    text: str = "text"
    name: str | None = None


Row = tuple[str, str]
"""A row's id ("" where no id column is requested) and its text."""
_Reader = Callable[[Path, Columns], Iterator[Row]]


def stream(path: Path, columns: Columns) -> Iterator[Row]:
    """The id and text of each row, in the order of the file: .jsonl, .csv, .tsv, .txt (compressed or not) or .parquet.

    Raises:
        BadInput: no such file or column, an unknown format, or damage; names the line.
    """
    check_file(path)
    suffix = suffix_of(path.name)
    with path.open("rb") as file:
        check_no_spreadsheet(str(path), file.read(4))
    if suffix not in _READERS:
        known = ", ".join(_READERS)
        raise BadInput(f"unknown kind of file {suffix!r}", where=str(path), mend=f"give one of {known}")
    try:
        yield from _READERS[suffix](path, columns)
    except UnicodeDecodeError as error:
        what = f"not UTF-8: {error.reason} 0x{error.object[error.start]:02x}"
        raise BadInput(what, where=str(path), mend=to_utf8(start_of(path))) from error
    except (OSError, EOFError) as error:
        raise BadInput(f"cannot read: {error}", where=str(path), mend="fetch or save it again") from error


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file of any size.

    Raises:
        BadInput: it cannot be read.
    """
    require_regular(path)
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError as error:
        raise BadInput(
            f"cannot read: {error.strerror}", where=str(path), mend="check the path and its permissions"
        ) from error
    return digest.hexdigest()


def _text_rows(path: Path, columns: Columns) -> Iterator[Row]:
    if columns.name is not None:
        raise BadInput("a .txt has no columns", where=str(path), mend="leave --id out")
    yield from (("", line) for _, line in lines(path))


def _jsonl_rows(path: Path, columns: Columns) -> Iterator[Row]:
    for number, line in lines(path):
        if line.strip():
            where = f"{path}, line {number}"
            row = json_object(line, where)
            _check_columns(columns, list(row), where)
            yield cell(row[columns.name]) if columns.name else "", cell(row[columns.text])


def _delimited_rows(path: Path, columns: Columns) -> Iterator[Row]:
    rows = delimited(path)
    where, header = next(rows)
    check_names(header, where)
    _check_columns(columns, header, where)
    text, name = header.index(columns.text), header.index(columns.name) if columns.name else None
    yield from (("" if name is None else row[name], row[text]) for _, row in rows)


def _parquet_rows(path: Path, columns: Columns) -> Iterator[Row]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            check_names(file.schema_arrow.names, str(path))
            _check_columns(columns, list(file.schema_arrow.names), str(path))
            wanted = list(dict.fromkeys([columns.text, columns.name or columns.text]))
            for batch in file.iter_batches(batch_size=_rows_at_once(file.metadata), columns=wanted):
                texts = batch.column(columns.text).to_pylist()
                names = batch.column(columns.name).to_pylist() if columns.name else [""] * len(texts)
                yield from zip(map(_as_text, names), map(_as_text, texts), strict=True)
    except pa.ArrowException as error:
        what = f"this is not a whole Parquet file: {str(error).splitlines()[0]}"
        raise BadInput(what, where=str(path), mend="write or fetch it again") from error


def _rows_at_once(metadata: Any) -> int:  # noqa: ANN401 - pyarrow has no types
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    each: int = sum(group.total_byte_size for group in groups) // max(1, metadata.num_rows)
    return max(1, min(_MOST_ROWS, _MOST_BYTES // max(1, each)))


_READERS: dict[str, _Reader] = {
    ".jsonl": _jsonl_rows,
    ".ndjson": _jsonl_rows,
    ".json": _jsonl_rows,
    ".csv": _delimited_rows,
    ".tsv": _delimited_rows,
    ".txt": _text_rows,
    ".parquet": _parquet_rows,
}


def _check_columns(columns: Columns, available: list[str], where: str) -> None:
    for role, name in (("text", columns.text), ("id", columns.name)):
        if name is not None and name not in available:
            raise BadInput(f"{role} column {name!r} not found", where=where, mend=nearest(name, available))


def _as_text(value: object) -> str:
    return "" if value is None else str(value)
