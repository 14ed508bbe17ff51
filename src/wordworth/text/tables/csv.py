"""CSV: a header, then a row for each record, as in RFC 4180."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager

from wordworth.errors import BadInput
from wordworth.text.raw_file import RawFile
from wordworth.text.tables.table import TextTable, check_names

Line = tuple[int, list[str]]
LONGEST_FIELD = 1 << 26
"""Most characters of a field: a quotation mark that is never closed would read the rest of the file into memory."""
_OTHERS = ";\t"
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


def read_csv(stored: RawFile) -> TextTable:
    """The table of a `.csv`, its fields separated by the character that `delimiter_of` gives.

    Raises:
        BadInput: not UTF-8, NUL bytes, broken quoting, a row with more or fewer fields than the header, two columns
            with the same name, or no rows; names the line.
    """
    text = stored.characters()
    delimiter = delimiter_of(text.lstrip("\r\n").splitlines()[0])
    return _table(stored, _rows(stored, text, delimiter))


def delimiter_of(header: str) -> str:
    """A comma, or a semicolon or tab if the header has that and nothing else."""
    candidates = [mark for mark in _OTHERS if mark in header]
    return candidates[0] if len(candidates) == 1 and "," not in header else ","


def _rows(stored: RawFile, text: str, delimiter: str) -> list[Line]:
    """Each row and the line it begins at, blank lines skipped."""
    reader = csv.reader((line[0] for line in _LINE.finditer(text)), delimiter=delimiter, strict=True)
    rows: list[Line] = []
    begins = 1
    try:
        with long_fields():
            for row in reader:
                if row:
                    rows.append((begins, row))
                begins = reader.line_num + 1
    except csv.Error as error:
        raise broken_quoting(error, f"{stored.path}, line {begins}") from error
    return rows


def broken_quoting(error: csv.Error, where: str) -> BadInput:
    """The error for a problem that the csv module found in the row that begins at `where`."""
    endless = "field limit" in str(error)
    what = f"a field is longer than {LONGEST_FIELD:,} characters" if endless else f"broken quoting: {error}"
    mend = 'write a quotation mark inside a quoted field twice ("") and close every quoted field'
    return BadInput(what, where=where, mend=mend)


@contextmanager
def long_fields() -> Iterator[None]:
    """Raise the csv module's process-wide limit of 128 KiB for a field, and restore it afterwards."""
    before = csv.field_size_limit(LONGEST_FIELD)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _table(stored: RawFile, rows: list[Line]) -> TextTable:
    header = rows[0][1]
    check_names(header, f"{stored.path}, line 1")
    line_numbers, cells = [], []
    for line, row in rows[1:]:
        if len(row) != len(header):
            what = f"{len(row)} fields where the header has {len(header)}"
            mend = "quote fields that hold the delimiter or a line break, or mend this row"
            raise BadInput(what, where=f"{stored.path}, line {line}", mend=mend)
        line_numbers.append(line)
        cells.append(row)
    columns = [list(column) for column in zip(*cells, strict=True)] or [[] for _ in header]
    named = dict(zip(header, columns, strict=True))
    return TextTable(named, stored.path, stored.sha256, line_numbers)
