"""Files of texts of any size, read a few thousand at a time and never held whole."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.text.csv_file import fields_of_any_size
from wordworth.text.encodings import to_utf8
from wordworth.text.jsonl_file import cell, json_object
from wordworth.text.stored import PACKINGS, check_file, check_no_spreadsheet, opened

_PIECE = 1 << 20
_LONGEST_LINE = 1 << 26
_BATCH = 256  # rows of Parquet at a time: a row may be a book


@dataclass(frozen=True, slots=True)
class Columns:
    """What is read of each row.

    Attributes:
        text: the column of texts; a `.txt` has none, each of its lines is a text.
        name: the column that names a row; None where its number does.
    """

    text: str = "text"
    name: str | None = None


Row = tuple[str, str]
"""A row's id ("" where none is asked for) and its text."""
_Reader = Callable[[Path, Columns], Iterator[Row]]


def stream(path: Path, columns: Columns) -> Iterator[Row]:
    """Each row's id and text, in the order of the file: .jsonl, .csv, .tsv, .txt (packed or not) or .parquet.

    Raises:
        BadInput: no such file or column, an unknown format, damage; names the line.
    """
    check_file(path)
    name = path.name.lower()
    for packing in PACKINGS:
        name = name.removesuffix(packing)
    suffix = Path(name).suffix
    with path.open("rb") as file:
        check_no_spreadsheet(str(path), file.read(4))
    if suffix not in _READERS:
        known = ", ".join(_READERS)
        raise BadInput(f"unknown kind of file {suffix!r}", where=str(path), mend=f"give one of {known}")
    try:
        yield from _READERS[suffix](path, columns)
    except UnicodeDecodeError as error:
        what = f"not UTF-8: {error.reason} 0x{error.object[error.start]:02x}"
        raise BadInput(what, where=str(path), mend=to_utf8(_start(path))) from error
    except (OSError, EOFError) as error:
        raise BadInput(f"cannot read: {error}", where=str(path), mend="fetch or save it again") from error


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file of any size.

    Raises:
        BadInput: it cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    except OSError as error:
        raise BadInput(
            f"cannot read: {error.strerror}", where=str(path), mend="check the path and its rights"
        ) from error
    return digest.hexdigest()


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines as UTF-8, numbered from 1, without their ends and a leading byte order mark.

    Raises:
        BadInput: not UTF-8, or a line of more than 64 MiB, which would take the memory.
    """
    with opened(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), start=1):
            if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                what, where = f"this line goes on for more than {_LONGEST_LINE:,} bytes", f"{path}, line {number}"
                raise BadInput(what, where=where, mend="is this text? put line breaks where its texts end")
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                what, where = f"not UTF-8: byte {error.start} of this line", f"{path}, line {number}"
                raise BadInput(what, where=where, mend=to_utf8(_start(path))) from error
            yield number, text.rstrip("\r\n")


def _start(path: Path) -> bytes:
    """The first MiB of a file, unpacked."""
    with opened(path) as file:
        return file.read(_PIECE)


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


def _csv_rows(path: Path, columns: Columns) -> Iterator[Row]:
    yield from _delimited(path, columns, ",")


def _tsv_rows(path: Path, columns: Columns) -> Iterator[Row]:
    yield from _delimited(path, columns, "\t")


def _delimited(path: Path, columns: Columns, delimiter: str) -> Iterator[Row]:
    rows = csv.reader((line + "\n" for _, line in lines(path)), delimiter=delimiter, strict=True)
    with fields_of_any_size():
        try:
            header = next(rows, [])
            if not header:
                raise BadInput("the file is empty", where=str(path), mend="give a file with a header and rows")
            _check_columns(columns, header, f"{path}, line 1")
            text, name = header.index(columns.text), header.index(columns.name) if columns.name else None
            for row in rows:
                if row:
                    _check_width(row, header, f"{path}, line {rows.line_num}")
                    yield "" if name is None else row[name], row[text]
        except csv.Error as error:
            mend = 'write a quotation mark inside a quoted field twice ("") and close every quoted field'
            raise BadInput(f"broken quoting: {error}", where=f"{path}, line {rows.line_num}", mend=mend) from error


def _parquet_rows(path: Path, columns: Columns) -> Iterator[Row]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            _check_columns(columns, list(file.schema_arrow.names), str(path))
            wanted = list(dict.fromkeys([columns.text, columns.name or columns.text]))
            for batch in file.iter_batches(batch_size=_BATCH, columns=wanted):
                texts = batch.column(columns.text).to_pylist()
                names = batch.column(columns.name).to_pylist() if columns.name else [""] * len(texts)
                yield from zip(map(_shown, names), map(_shown, texts), strict=True)
    except pa.ArrowException as error:
        what = f"this is not a whole Parquet file: {str(error).splitlines()[0]}"
        raise BadInput(what, where=str(path), mend="write or fetch it again") from error


_READERS: dict[str, _Reader] = {
    ".jsonl": _jsonl_rows,
    ".ndjson": _jsonl_rows,
    ".json": _jsonl_rows,
    ".csv": _csv_rows,
    ".tsv": _tsv_rows,
    ".txt": _text_rows,
    ".parquet": _parquet_rows,
}


def _check_columns(columns: Columns, there: list[str], where: str) -> None:
    for role, name in (("text", columns.text), ("id", columns.name)):
        if name is not None and name not in there:
            raise BadInput(f"{role} column {name!r} not found", where=where, mend=nearest(name, there))


def _check_width(row: list[str], header: list[str], where: str) -> None:
    if len(row) != len(header):
        mend = "quote fields that hold the delimiter or a line break, or mend this row"
        raise BadInput(f"{len(row)} fields where the header has {len(header)}", where=where, mend=mend)


def _shown(value: object) -> str:
    return "" if value is None else str(value)
