"""CSV and TSV one row at a time, for files too large to hold in memory."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.text.lines import lines
from wordworth.text.raw_file import suffix_of
from wordworth.text.tables.csv import broken_quoting, delimiter_of, long_fields
from wordworth.text.tables.tsv import MEND, Line, tab_lines

Row = tuple[str, list[str]]
"""The location of a row as text (file and line), and its fields."""


def delimited(path: Path) -> Iterator[Row]:
    """The header, then every row that is not blank, each with as many fields as the header.

    A `.tsv` is split at line breaks and tabs, as `read_tsv` does; the delimiter of a `.csv` is that of `delimiter_of`.

    Raises:
        BadInput: not UTF-8, empty, broken quoting, a row with more or fewer fields than the header; names the line.
    """
    plain = suffix_of(path.name) == ".tsv"
    header: list[str] = []
    for line, row in tab_lines(lines(path)) if plain else _quoted(path):
        header, where = header or row, f"{path}, line {line}"
        if len(row) != len(header):
            mend = MEND if plain else "quote fields that hold the delimiter or a line break, or mend this row"
            raise BadInput(f"{len(row)} fields where the header has {len(header)}", where=where, mend=mend)
        yield where, row
    if not header:
        raise BadInput("the file is empty", where=str(path), mend="give a file with a header and rows")


def _quoted(path: Path) -> Iterator[Line]:
    """The rows of a CSV, each with the number of its last line."""
    begins = 1
    delimiter = delimiter_of(next((line for _, line in lines(path) if line), ""))
    rows = csv.reader((line + "\n" for _, line in lines(path)), delimiter=delimiter, strict=True)
    with long_fields():
        try:
            for row in rows:
                if row:
                    yield rows.line_num, row
                begins = rows.line_num + 1
        except csv.Error as error:
            raise broken_quoting(error, f"{path}, line {begins}") from error
