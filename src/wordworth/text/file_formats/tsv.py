"""TSV without quoting: every line is a row, and a quotation mark is an ordinary character."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.sentence_formatting import some_of
from wordworth.text.file_formats.base import FileFormat, Line, Row
from wordworth.text.file_formats.csv import Record, rows_under_header
from wordworth.text.file_formats.table import TextTable, check_names
from wordworth.text.read_compressed_file import RawFile, lines

_MEND = (
    "a .tsv has a row on each line, tabs between fields and no quoting: use a .csv for texts with tabs or line breaks"
)
_MOST_BROKEN = 0.01


def _records(numbered: Iterable[Line]) -> Iterator[Record]:
    """Yield the fields of each numbered line that is not empty."""
    for number, line in numbered:
        text = line.removesuffix("\r")
        if text:
            yield number, text.split("\t")


def _rows(path: Path, columns: Collection[str] | None) -> Iterator[Row]:
    return rows_under_header(_records(lines(path)), path, columns, _MEND)


def _table(raw: RawFile) -> TextTable:
    """Return the table of a user's `.tsv`; fields that look quoted are left as they are, with a warning.

    Raises:
        BadInput: as `read_plain_tsv`, or a line with more or fewer fields than the header.
    """
    table = read_plain_tsv(raw, most_broken=0.0)
    quoted = sum(map(_looks_quoted, (cell for column in table.columns.values() for cell in column)))
    if not quoted:
        return table
    text = (
        f"{quoted:,} fields look quoted and were read as they are, with their quotation marks: a .tsv has no "
        "quoting. If a program quoted them, rename the file to .csv."
    )
    return replace(table, notes=(Finding("warning.quotes", text, {"fields": quoted}),))


def read_plain_tsv(
    raw: RawFile,
    header: Sequence[str] | None = None,
    only: Collection[str] | None = None,
    *,
    most_broken: float = _MOST_BROKEN,
) -> TextTable:
    """Read a `.tsv` in the format of GLUE's files, in which quotation marks are ordinary characters.

    A line with more or fewer fields than the header is skipped and counted in a note; published copies have a few such
    lines.

    Args:
        raw: the file.
        header: the names of the columns where the first line of the file is not a header.
        only: the columns to keep, to save memory (most of MNLI's file is columns of parse trees); None keeps all.
        most_broken: the largest share of lines that may be skipped.

    Raises:
        BadInput: the file is not UTF-8, two columns have the same name, or more lines would be skipped than
            `most_broken` allows; the error names the first of these lines.
    """
    records = _records(enumerate(raw.characters().split("\n"), start=1))
    names = list(header) if header else next(records, (1, [""]))[1]
    check_names(names, f"{raw.path}, line 1")
    columns: dict[str, list[str]] = {name: [] for name in names if only is None or name in only}
    wanted = [(names.index(name), column) for name, column in columns.items()]
    line_numbers, broken = list[int](), list[tuple[int, int]]()
    for number, cells in records:
        if len(cells) != len(names):
            broken.append((number, len(cells)))
            continue
        line_numbers.append(number)
        for position, column in wanted:
            column.append(cells[position])
    notes = _broken_line_notes(raw, broken, len(line_numbers), len(names), most_broken)
    return TextTable(columns, raw.path, raw.sha256, line_numbers, notes=notes)


def _looks_quoted(cell: str) -> bool:
    """Return whether a field looks quoted by a program: it is in quotation marks, and marks inside it are doubled."""
    return '""' in cell[1:-1] and cell[0] == cell[-1] == '"'


def _broken_line_notes(
    raw: RawFile, broken: list[tuple[int, int]], complete: int, width: int, most: float
) -> tuple[Finding, ...]:
    if not broken:
        return ()
    (line, fields), rows = broken[0], complete + len(broken)
    if len(broken) > most * rows:
        others = f", on this line and {len(broken) - 1} others" if len(broken) > 1 else ""
        what = f"{fields} fields where {width} are expected{others}"
        raise BadInput(what, where=f"{raw.path}, line {line}", mend=_MEND)
    which, verb = some_of(len(broken), rows, "lines does", "lines do"), "is" if len(broken) == 1 else "are"
    text = f"{which} not have {width} fields (the first is line {line}) and {verb} left out."
    return (Finding("warning.broken_lines", text, {"lines": len(broken), "rows": rows, "first": line}),)


TSV = FileFormat(suffixes=(".tsv",), rows=_rows, table=_table)
