"""Plain text: a text on each line; an empty line is an empty text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from wordworth.text.file_formats.base import FileFormat, Row
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import RawFile, lines


def _rows(path: Path, columns: Collection[str] | None) -> Iterator[Row]:  # noqa: ARG001 - as FileFormat.rows
    for number, line in lines(path):
        yield number, {"text": line}


def read_txt(raw: RawFile) -> TextTable:
    """Read a `.txt` as a table whose only column, `text`, holds its lines; empty lines at the end are left out."""
    texts = [line.rstrip("\r") for line in raw.text().split("\n")]
    while texts and not texts[-1]:
        texts.pop()
    return TextTable({"text": texts}, raw.path, raw.sha256, range(1, len(texts) + 1))


TXT = FileFormat(suffixes=(".txt",), rows=_rows, table=read_txt, named=False, corpus=True)
