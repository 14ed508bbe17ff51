"""The registry of file formats, and the functions that read files of rows: whole, row by row, or only their texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from wordworth.errors import BadInput, NotFound, nearest
from wordworth.registry import Registry
from wordworth.text.file_formats.base import FileFormat
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import (
    COMPRESSIONS,
    RawFile,
    check_no_spreadsheet,
    check_rows_file,
    in_memory,
    read_raw,
    suffix_of,
)

_BUILTIN = {
    name: f"wordworth.text.file_formats.{name}:{name.upper()}"
    for name in ("csv", "tsv", "jsonl", "parquet", "conll", "txt")
}
FORMATS: Registry[FileFormat] = Registry("file format", group="wordworth.file_formats", builtin=_BUILTIN)


def format_of(path: Path | str) -> FileFormat | None:
    """Return the format of a file by its suffix, ignoring a compression's suffix; None for an unknown suffix."""
    held = in_memory(path)
    suffix = suffix_of(Path(path).name) if held is None else held.suffix
    return next((known for known in map(FORMATS.get, FORMATS.names()) if suffix in known.suffixes), None)


def require_format(path: Path | str, *, named: bool = False) -> FileFormat:
    """Return the format of a file by its suffix.

    Args:
        path: the file.
        named: whether the format must have named columns.

    Raises:
        BadInput: the suffix is not known, or `named` is True and the format's columns have no names.
    """
    known = format_of(path)
    if known is not None and (known.named or not named):
        return known
    names = [f".{name}" for name in FORMATS.names() if FORMATS.get(name).named or not named]
    suffixes = f"{', '.join(names)}, each also with {', '.join(COMPRESSIONS)}"
    mend = f"rename it to the suffix of its format ({suffixes}), or give --format where the command takes it"
    raise BadInput(f"unknown kind of file {suffix_of(Path(path).name)!r}", where=str(path), mend=mend)


def require_writable(path: Path) -> FileFormat:
    """Return the format in which to write rows to a file, by its suffix.

    `.json` is refused, since such a file does not hold rows.

    Raises:
        BadInput: the suffix is not known, or files of this format can only be read.
    """
    known = format_of(path)
    if known is None or not known.writable or path.suffix.lower() not in known.suffixes or path.suffix == ".json":
        mend = "give a .jsonl, .csv or .parquet, or a .conll of tags"
        raise BadInput(f"unknown kind of file {path.suffix!r}", where=str(path), mend=mend)
    return known


def corpus_suffixes() -> tuple[str, ...]:
    """Return the suffixes, without compression suffixes, of the files in a folder that are read as part of a corpus."""
    return tuple(suffix for suffix, known in known_suffixes().items() if known.corpus)


def known_suffixes() -> dict[str, FileFormat]:
    """Return suffix -> format for all known formats, without compression suffixes such as `.gz`."""
    formats = map(FORMATS.get, FORMATS.names())
    return {suffix: known for known in formats for suffix in known.suffixes}


def read_rows(path: Path | str, format: str | None = None) -> TextTable:  # noqa: A002 - as --format
    """Read the rows of a file, in the requested format or in the format of its suffix (`.csv`, `.jsonl.gz`, …).

    Args:
        path: the file.
        format: name of a format; None takes the format of the file's suffix.

    Raises:
        BadInput: there is no such file or format, or the file is damaged or has no rows; the error names the place in
            the file.
    """
    if format is not None and format not in FORMATS.names():
        raise BadInput(f"no format {format!r}", where=str(path), mend=nearest(format, FORMATS.names()))
    raw = read_raw(path)
    check_no_spreadsheet(raw.path, raw.data[:4])
    return read_table(raw, format)


def read_table(raw: RawFile, format: str | None = None) -> TextTable:  # noqa: A002 - as --format
    """Return the rows of a file already in memory, parsed in the requested format or in the format of its suffix."""
    chosen = require_format(raw.path, named=True) if format is None else FORMATS.get(format)
    table = chosen.table(raw)
    if not len(table):
        if in_memory(table.path) is not None:
            raise BadInput(f"{table.path} has no rows", mend="give a table with rows")
        raise BadInput(
            "the file has a header but no rows", where=table.path, mend="give a file with rows under its header"
        )
    return table


def iterate_rows(path: Path, *, named: bool = True) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Stream the rows of a file; yield (file and position, column name -> cell) for each.

    Each row has all columns of the file; labels may be missing. The file may have any size.

    Args:
        path: the file, compressed or not.
        named: whether the format must have named columns; if False, the lines of a `.txt` are a column `text`.

    Raises:
        BadInput: there is no such file, its format is unknown, or it is damaged; the error names the line.
    """
    chosen = _checked_format(path, named=named)
    blank: dict[str, str] = {}
    if chosen.ragged:
        blank = dict.fromkeys((name for _, cells in chosen.rows(path, None) for name in cells), "")
    for number, cells in chosen.rows(path, None):
        yield f"{path}, {chosen.unit} {number}", {**blank, **cells} if len(cells) < len(blank) else cells


def iterate_texts(path: Path, text: str = "text", name: str | None = None) -> Iterator[tuple[str, str]]:
    """Stream the texts of a file; yield (id, text) of each row, in the order of the file.

    The file may have any size.

    Args:
        path: the file, compressed or not.
        text: the column of texts; it is not used for a `.txt`, each of whose lines is a text.
        name: the column of row ids; if it is None, the ids are "".

    Raises:
        BadInput: there is no such file or column, the format is unknown, or the file is damaged; the error names the
            line.
    """
    chosen = _checked_format(path)
    if not chosen.named:
        if name is not None:
            raise BadInput(f"a {chosen.suffixes[0]} has no columns", where=str(path), mend="leave --id out")
        text = "text"
    columns = {"--text": text} if name is None else {"--text": text, "--id": name}
    try:
        for _, cells in chosen.rows(path, tuple(columns.values())):
            yield "" if name is None else cells[name], cells[text]
    except NotFound as error:
        option = next(option for option, column in columns.items() if repr(column) in error.what)
        raise NotFound(error.what, where=error.where, mend=f"give {option} NAME; {error.mend}") from error


def iterate_column(path: Path, column: str) -> Iterator[tuple[str, str]]:
    """Stream a column of a file; yield (position such as `line 17`, cell) of each row.

    Raises:
        BadInput: there is no such file or column, the format is unknown, or the file is damaged; the error names the
            line.
    """
    chosen = _checked_format(path, named=True)
    yield from ((f"{chosen.unit} {number}", cells[column]) for number, cells in chosen.rows(path, (column,)))


def _checked_format(path: Path, *, named: bool = False) -> FileFormat:
    check_rows_file(path)
    return require_format(path, named=named)
