"""TSV without a quote character: every line is a row, and a quotation mark is a character like any other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.text.stored import Stored
from wordworth.text.table import RowTable

_MOST_BROKEN = 0.01


def read_plain_tsv(
    stored: Stored, header: Sequence[str] | None = None, only: Collection[str] | None = None
) -> RowTable:
    """The table of a `.tsv` as GLUE's files have it.

    A line with more or fewer fields than the header is left out and counted in a note: published copies hold a few.

    Args:
        stored: the file.
        header: the columns' names where the file's first line holds none.
        only: the columns to keep (MNLI's parse trees are most of its file); all where None.

    Raises:
        BadInput: not UTF-8, two columns of one name, or more than one broken line in a hundred; names the first.
    """
    lines = _lines(stored)
    names = list(header) if header else next(lines, (1, [""]))[1]
    if len(set(names)) != len(names):
        raise BadInput("two columns have the same name", where=f"{stored.path}, line 1", mend="rename one")
    columns: dict[str, list[str]] = {name: [] for name in names if only is None or name in only}
    kept = [(names.index(name), column) for name, column in columns.items()]
    places, broken = list[int](), list[tuple[int, int]]()
    for number, cells in lines:
        if len(cells) != len(names):
            broken.append((number, len(cells)))
            continue
        places.append(number)
        for place, column in kept:
            column.append(cells[place])
    return RowTable(columns, stored.path, stored.sha256, places, notes=_noted(stored, broken, len(places), len(names)))


def _lines(stored: Stored) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line that is not empty, with its number."""
    for number, line in enumerate(stored.text().split("\n"), start=1):
        text = line.removesuffix("\r")
        if text:
            yield number, text.split("\t")


def _noted(stored: Stored, broken: list[tuple[int, int]], whole: int, width: int) -> tuple[Finding, ...]:
    if not broken:
        return ()
    (line, fields), rows = broken[0], whole + len(broken)
    if len(broken) > _MOST_BROKEN * rows:
        what = f"{fields} fields where {width} are expected, on this line and {len(broken) - 1} others"
        mend = "give the file as it was published, fields apart by tabs"
        raise BadInput(what, where=f"{stored.path}, line {line}", mend=mend)
    text = f"{len(broken)} of {rows:,} lines have not {width} fields (the first: line {line}): they are left out."
    return (Finding("warning.broken_lines", text, {"lines": len(broken), "rows": rows, "first": line}),)
