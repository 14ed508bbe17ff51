"""`FileFormat`: how the files of one format are read, row by row or whole, and written."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wordworth.errors import BadInput, NotFound, nearest
from wordworth.text.file_formats.table import TextTable, Unit
from wordworth.text.read_compressed_file import RawFile, lines

Line = tuple[int, str]
"""The number of a line, from 1, and its text without the line break."""
Row = tuple[int, Mapping[str, str]]
"""The number, from 1, of the line or row at which a row begins, and its cells by column."""
ColumnType = Literal["text", "integer", "number", "texts", "numbers"]
"""The type of a column's cells in writing: a single value or a list of values."""
Parse = Callable[[Iterable[Line], str], Iterator[Row]]
Write = Callable[[Path, Iterator[Mapping[str, Any]], Mapping[str, ColumnType]], int]


def _refuse_writing(path: Path, rows: Iterator[Mapping[str, Any]], columns: Mapping[str, ColumnType]) -> int:  # noqa: ARG001 - a Write
    raise BadInput("files of this format are only read", where=str(path), mend="write a .jsonl, .csv or .parquet")


@dataclass(frozen=True, kw_only=True, slots=True)
class FileFormat:
    """A format of files of rows: how such files are read and written.

    Attributes:
        suffixes: the suffixes of such files in lower case, the usual one first: `(".jsonl", ".ndjson")`.
        rows: a function that streams the rows of a file of any size, with or without labels; it takes the path and the
            columns that each row must have (None for no particular columns).
        table: a function that reads a whole file; in a format with a fixed place for labels (CoNLL), the function
            raises an error if labels are missing.
        write: a function that writes rows with given columns to a path and returns their number; a format without it
            can only be read.
        unit: the noun for the position of a row in messages, such as `line`.
        named: whether the columns have names; False for plain text, in which each line is a text.
        ragged: whether a row may lack columns that others have.
        nested: whether rows are written with their values unchanged, lists included, instead of as text cells.
        corpus: whether such files in a folder of text are read as part of the corpus.
    """

    suffixes: tuple[str, ...]
    rows: Callable[[Path, Collection[str] | None], Iterator[Row]]
    table: Callable[[RawFile], TextTable]
    write: Write = _refuse_writing
    unit: Unit = "line"
    named: bool = True
    ragged: bool = False
    nested: bool = False
    corpus: bool = False

    @property
    def writable(self) -> bool:
        """Whether files of this format can be written."""
        return self.write is not _refuse_writing

    @classmethod
    def of_lines(
        cls,
        suffixes: tuple[str, ...],
        parse: Parse,
        *,
        write: Write = _refuse_writing,
        nested: bool = False,
        corpus: bool = False,
    ) -> FileFormat:
        """Return a format of text files whose lines a function parses into rows, which may lack columns.

        Args:
            suffixes: the suffixes of such files in lower case, the usual one first.
            parse: turns numbered lines into rows; also gets the file's path, for errors, and raises BadInput for a
                broken line.
            write: a function that writes rows with given columns to a path; by default writing is refused.
            nested: whether rows are written with their values unchanged, lists included.
            corpus: whether such files in a folder of text are read as part of a corpus.
        """

        def rows(path: Path, columns: Collection[str] | None) -> Iterator[Row]:
            wanted = set(columns or ())
            for number, cells in parse(lines(path), str(path)):
                if not wanted <= cells.keys():
                    require_columns(wanted, cells, f"{path}, line {number}")
                yield number, cells

        def table(raw: RawFile) -> TextTable:
            texts = raw.text().removesuffix("\n").split("\n")
            numbered = enumerate((text.rstrip("\r") for text in texts), start=1)
            return table_of_rows(raw, parse(numbered, raw.path))

        return cls(suffixes=suffixes, rows=rows, table=table, write=write, ragged=True, nested=nested, corpus=corpus)


def table_of_rows(raw: RawFile, rows: Iterable[Row]) -> TextTable:
    """Return the table of all rows of a file; a cell is "" if its row lacks the column."""
    numbers, cells = list[int](), list[Mapping[str, str]]()
    for number, row in rows:
        numbers.append(number)
        cells.append(row)
    names = dict.fromkeys(name for row in cells for name in row)
    columns = {name: [row.get(name, "") for row in cells] for name in names}
    return TextTable(columns, raw.path, raw.sha256, numbers)


def require_columns(columns: Collection[str], available: Collection[str], where: str) -> None:
    """Check that a file has the columns that are to be read.

    Args:
        columns: the columns to read.
        available: the columns of the file.
        where: the file, for the error message.

    Raises:
        NotFound: a column is missing; the error suggests a similar name.
    """
    for name in columns:
        if name not in available:
            raise NotFound(f"column {name!r} not found", where=where, mend=nearest(name, available))
