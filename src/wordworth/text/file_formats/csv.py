"""CSV: a header, then a row for each record, as in RFC 4180; and functions for all tables with a header."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.text.file_formats.base import ColumnType, FileFormat, Row, require_columns
from wordworth.text.file_formats.table import TextTable, check_names
from wordworth.text.read_compressed_file import RawFile, lines_with_carriage_returns

Record = tuple[int, list[str]]
"""The number of the line that a record begins at, and its fields."""
LONGEST_FIELD = 1 << 26
"""Maximal number of characters in a field; a quotation mark that is never closed would read the whole file into
memory."""
_OTHERS = ";\t"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MEND = "quote fields that hold the delimiter or a line break, or mend this row"


def delimiter_of(header: str) -> str:
    """Return the delimiter of a table, judged from its header: a comma, a semicolon or a tab.

    If the header has only one of these three characters, it is the delimiter; otherwise the delimiter is a comma.
    """
    candidates = [mark for mark in _OTHERS if mark in header]
    return candidates[0] if len(candidates) == 1 and "," not in header else ","


def rows_under_header(
    records: Iterator[Record], path: Path, columns: Collection[str] | None, mend: str = _MEND
) -> Iterator[Row]:
    """Yield the rows of a table as column name -> cell; the first record holds the names of the columns.

    Args:
        records: the header, then the records.
        path: the file, for errors.
        columns: the names of the columns to read; None reads all.
        mend: how to mend a record with more or fewer fields than the header.

    Raises:
        BadInput: the file is empty, a column is missing or occurs twice, or a record has more or fewer fields than the
            header; the error names the line.
    """
    first, header = next(records, (0, []))
    if not header:
        raise BadInput("the file is empty", where=str(path), mend="give a file with a header and rows")
    check_names(header, f"{path}, line {first}")
    require_columns(columns or (), header, f"{path}, line {first}")
    wanted = [(name, header.index(name)) for name in columns or header]
    for number, fields in records:
        if len(fields) != len(header):
            raise _wrong_width(len(fields), len(header), f"{path}, line {number}", mend)
        yield number, {name: fields[index] for name, index in wanted}


def _wrong_width(fields: int, expected: int, where: str, mend: str = _MEND) -> BadInput:
    return BadInput(f"{fields} fields where the header has {expected}", where=where, mend=mend)


def _rows(path: Path, columns: Collection[str] | None) -> Iterator[Row]:
    texts = (match[0] for _, line in lines_with_carriage_returns(path) for match in _LINE.finditer(f"{line}\n"))
    return rows_under_header(_records(texts, str(path)), path, columns)


def _table(raw: RawFile) -> TextTable:
    texts = (match[0] for match in _LINE.finditer(raw.characters()))
    records = _records(texts, raw.path)
    first, header = next(records)
    check_names(header, f"{raw.path}, line {first}")
    numbers, rows = list[int](), list[list[str]]()
    for number, fields in records:
        if len(fields) != len(header):
            raise _wrong_width(len(fields), len(header), f"{raw.path}, line {number}")
        numbers.append(number)
        rows.append(fields)
    columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in header]
    return TextTable(dict(zip(header, columns, strict=True)), raw.path, raw.sha256, numbers)


def _records(texts: Iterator[str], path: str) -> Iterator[Record]:
    """Yield (number of the line at which a record begins, fields) of each record; blank lines are skipped.

    Args:
        texts: the lines of the file, with their ends.
        path: the file, for errors.
    """
    start = list[str]()
    for text in texts:
        start.append(text)
        if text.strip("\r\n"):
            break
    reader = csv.reader(chain(start, texts), delimiter=delimiter_of(start[-1] if start else ""), strict=True)
    begins = 1
    try:
        with _long_fields():
            for record in reader:
                if record:
                    yield begins, record
                begins = reader.line_num + 1
    except csv.Error as error:
        endless = "field limit" in str(error)
        what = f"a field is longer than {LONGEST_FIELD:,} characters" if endless else f"broken quoting: {error}"
        mend = 'write a quotation mark inside a quoted field twice ("") and close every quoted field'
        raise BadInput(what, where=f"{path}, line {begins}", mend=mend) from error


@contextmanager
def _long_fields() -> Iterator[None]:
    """Raise the csv module's process-wide limit of 128 KiB for a field, and restore it afterwards."""
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _write(path: Path, rows: Iterator[Mapping[str, Any]], columns: Mapping[str, ColumnType]) -> int:
    """Write a header and the rows; lists are written as JSON."""
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(columns))
        writer.writeheader()
        for row in rows:
            writer.writerow({name: _flat(value) for name, value in row.items()})
            count += 1
    return count


def _flat(value: Any) -> Any:  # noqa: ANN401 - a row holds values of any type
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


CSV = FileFormat(suffixes=(".csv",), rows=_rows, table=_table, write=_write)
