"""The display of a record as the output of a notebook cell: verdict, and folded warnings and first rows of tables.

The display is much shorter than the page, which `ww.report(record)` shows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import escape

from wordworth.records import Record, Table
from wordworth.reports.generic_page import cell
from wordworth.reports.html import fragment
from wordworth.sentence_formatting import count_of, shortened

_ROWS, _CELL = 8, 60
_WARNINGS, _SENTENCES = 12, 1_500
_ROOM, _TAGS = 60_000, 10
"""Most characters of all excerpts, and characters of HTML tags per cell; tables that do not fit are only named."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The first rows of a table, as texts; `title` has the table's name and its number of rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, name: str, table: Table) -> Excerpt:
        """Return the excerpt of a table.

        Args:
            name: name of the table, as `Record.table` takes it.
            table: the table.
        """
        rows = table.rows()
        first = f", the first {_ROWS}" if len(rows) > _ROWS else ""
        values = tuple(tuple(shortened(cell(value).text, _CELL) for value in row.values()) for row in rows[:_ROWS])
        return cls(f"{name} ({count_of(len(rows), 'row')}{first})", tuple(table.columns), values)

    @property
    def size(self) -> int:
        """The number of characters of the excerpt in HTML."""
        return sum(len(escape(text)) + _TAGS for row in (self.columns, *self.rows) for text in row)


def notebook_summary(record: Record, tables: Mapping[str, Table]) -> str:
    """Return a record as a short HTML fragment for the output of a notebook cell, with less than 100 kB and no scripts.

    Args:
        record: the record.
        tables: name -> table, for all tables that `Record.table` knows.
    """
    answers = any(finding.name == "verdict" for finding in record.findings)
    headline, _, text = (record.verdict if answers else record.kind).partition("\n")
    excerpts, named, room = list[Excerpt](), list[str](), _ROOM
    for name, table in tables.items():
        excerpt = Excerpt.of(name, table)
        if excerpt.size > room:
            named.append(name)
            continue
        excerpts.append(excerpt)
        room -= excerpt.size
    return fragment(
        "notebook.html.j2",
        headline=headline,
        text=shortened(text, _SENTENCES),
        warnings=[shortened(finding.text, _SENTENCES) for finding in record.warnings[:_WARNINGS]],
        num_warnings=count_of(len(record.warnings), "warning"),
        tables=excerpts,
        others=named,
        example=next(iter(tables), None),
    )
