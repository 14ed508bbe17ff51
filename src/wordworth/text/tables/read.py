"""The one way to read files of rows: `read_rows(path)` gives the rows of a file in any known format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from wordworth.errors import BadInput, nearest
from wordworth.text.raw_file import COMPRESSIONS, RawFile, check_no_spreadsheet, read_stored
from wordworth.text.tables.conll import read_conll
from wordworth.text.tables.csv import read_csv
from wordworth.text.tables.jsonl import read_jsonl
from wordworth.text.tables.parquet import read_parquet
from wordworth.text.tables.table import TextTable
from wordworth.text.tables.tsv import read_tsv

FORMATS: dict[str, Callable[[RawFile], TextTable]] = {
    "csv": read_csv,
    "tsv": read_tsv,
    "jsonl": read_jsonl,
    "parquet": read_parquet,
    "conll": read_conll,
}
_SUFFIXES = {
    **{f".{name}": name for name in FORMATS},
    **dict.fromkeys((".ndjson", ".json"), "jsonl"),
    **dict.fromkeys((".pq",), "parquet"),
    **dict.fromkeys((".bio", ".iob", ".iob2", ".iobes", ".train", ".dev", ".test", ".testa", ".testb"), "conll"),
}

__all__ = ["FORMATS", "TextTable", "read_asked_rows", "read_rows", "read_stored_rows"]


def read_rows(path: Path | str, format: str | None = None) -> TextTable:  # noqa: A002 - as --format
    """The rows of a file, in the format of its suffix (`.csv`, `.jsonl.gz`, …) or the one requested.

    Raises:
        BadInput: no such file or format, a damaged file, or one without rows; names the place in the file.
    """
    if format is not None and format not in FORMATS:
        raise BadInput(f"no format {format!r}", where=str(path), mend=nearest(format, FORMATS))
    return read_stored_rows(_stored(path), format)


def read_asked_rows(path: Path | str) -> TextTable:
    """The rows of a file to be predicted: as `read_rows`, but a CoNLL file of words need not have tags."""
    stored = _stored(path)
    return read_conll(stored, tagged=False) if _format(stored) == "conll" else read_stored_rows(stored)


def read_stored_rows(stored: RawFile, format: str | None = None) -> TextTable:  # noqa: A002 - as --format
    """The rows of a file already in memory; otherwise as `read_rows`."""
    table = FORMATS[format or _format(stored)](stored)
    if not len(table):
        raise BadInput(
            "the file has a header but no rows", where=table.path, mend="give a file with rows under its header"
        )
    return table


def _stored(path: Path | str) -> RawFile:
    stored = read_stored(path)
    check_no_spreadsheet(stored.path, stored.data[:4])
    return stored


def _format(stored: RawFile) -> str:
    if stored.suffix in _SUFFIXES:
        return _SUFFIXES[stored.suffix]
    known = ", ".join(f".{name}" for name in FORMATS)
    suffixes = f"{known}, each also with {', '.join(COMPRESSIONS)}"
    mend = f"rename it to the suffix of its format ({suffixes}), or give --format where the command takes it"
    raise BadInput(f"unknown kind of file {stored.suffix!r}", where=stored.path, mend=mend)
