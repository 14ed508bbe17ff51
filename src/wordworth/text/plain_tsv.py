"""TSV without a quote character: every line is a row, and a quotation mark is a character like any other."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.text.stored import Stored
from wordworth.text.table import RowTable

_MOST_BROKEN = 0.01


def read_plain_tsv(stored: Stored, header: Sequence[str] | None = None) -> RowTable:
    """The table of a `.tsv` as GLUE's files have it.

    A line with more or fewer fields than the header is left out and counted in a note: published copies hold a few.

    Args:
        stored: the file.
        header: the columns' names where the file's first line holds none.

    Raises:
        BadInput: not UTF-8, two columns of one name, or more than one broken line in a hundred; names the first.
    """
    lines = [(number, line.rstrip("\r").split("\t")) for number, line in enumerate(stored.text().split("\n"), start=1)]
    filled = [(number, cells) for number, cells in lines if cells != [""]]
    names, rows = (list(header), filled) if header else (filled[0][1], filled[1:])
    if len(set(names)) != len(names):
        raise BadInput("two columns have the same name", where=f"{stored.path}, line 1", mend="rename one")
    whole = [(number, cells) for number, cells in rows if len(cells) == len(names)]
    columns = {name: [cells[place] for _, cells in whole] for place, name in enumerate(names)}
    broken = [(number, len(cells)) for number, cells in rows if len(cells) != len(names)]
    places = [number for number, _ in whole]
    return RowTable(columns, stored.path, stored.sha256, places, notes=_noted(stored, broken, len(rows), len(names)))


def _noted(stored: Stored, broken: list[tuple[int, int]], rows: int, width: int) -> tuple[Finding, ...]:
    if not broken:
        return ()
    line, fields = broken[0]
    if len(broken) > _MOST_BROKEN * rows:
        what = f"{fields} fields where {width} are expected, on this line and {len(broken) - 1} others"
        mend = "give the file as it was published, fields apart by tabs"
        raise BadInput(what, where=f"{stored.path}, line {line}", mend=mend)
    text = f"{len(broken)} of {rows:,} lines have not {width} fields (the first: line {line}): they are left out."
    return (Finding("warning.broken_lines", text, {"lines": len(broken), "rows": rows, "first": line}),)
