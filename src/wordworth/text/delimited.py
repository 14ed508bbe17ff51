"""CSV and TSV a row at a time, for files that are never held whole."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.text.csv_file import delimiter_of, fields_of_any_size
from wordworth.text.lines import lines
from wordworth.text.stored import suffix_of

Row = tuple[str, list[str]]
"""Where a row stands, in words, and its fields."""


def delimited(path: Path) -> Iterator[Row]:
    """The header, then every row that is not blank, each with as many fields; `read_csv` says which delimiter.

    Raises:
        BadInput: not UTF-8, empty, broken quoting, a row with more or fewer fields than the header; names the line.
    """
    header: list[str] = []
    rows = csv.reader((line + "\n" for _, line in lines(path)), delimiter=_delimiter(path), strict=True)
    with fields_of_any_size():
        try:
            for row in rows:
                header = header or row
                if row:
                    yield _checked(row, header, f"{path}, line {rows.line_num}")
        except csv.Error as error:
            mend = 'write a quotation mark inside a quoted field twice ("") and close every quoted field'
            raise BadInput(f"broken quoting: {error}", where=f"{path}, line {rows.line_num}", mend=mend) from error
    if not header:
        raise BadInput("the file is empty", where=str(path), mend="give a file with a header and rows")


def _delimiter(path: Path) -> str:
    if suffix_of(path.name) == ".tsv":
        return "\t"
    return delimiter_of(next((line for _, line in lines(path) if line), ""))


def _checked(row: list[str], header: list[str], where: str) -> Row:
    if len(row) != len(header):
        mend = "quote fields that hold the delimiter or a line break, or mend this row"
        raise BadInput(f"{len(row)} fields where the header has {len(header)}", where=where, mend=mend)
    return where, row
