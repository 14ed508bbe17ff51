"""The page of a record whose kind has no page of its own: its verdict, then all tables with descriptions of columns."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import pairwise

from wordworth.records import Record
from wordworth.reports.number_format import ABSENT, count, figures, number
from wordworth.reports.page import ReportHeader, machine, render_page, settings
from wordworth.reports.record_view import RecordView, Row, rows_of
from wordworth.reports.tables import Cell, Column, Grid

_OWN_SECTIONS = frozenset({"verdict", "warning", "method"})
_OPEN, _MOST, _DIGITS, _LONG = 12, 500, 4, 1e15


@dataclass(frozen=True, slots=True)
class Entry:
    """A table on a page, with a note under it, and whether it is unfolded when the page opens."""

    grid: Grid
    note: str
    open: bool


def page(record: Record, *, note: str = "") -> str:
    """Return the page of a record of any kind, its verdict and all its tables, as one self-contained HTML document.

    Args:
        record: the record.
        note: sentence above the verdict; empty for none.
    """
    view = RecordView.of(record)
    kind, name = re.sub("[-_]", " ", record.kind).capitalize(), str(record.data.get("name", ""))
    question = " · ".join(filter(None, (kind, name)))
    tables = [_entry(caption, table) for caption, table in view.plain["tables"].items() if rows_of(table)]
    return render_page(
        "generic.html.j2",
        view,
        ReportHeader(
            question, str(view.verdict.get("headline") or kind), (" ".join(view.sentences("verdict")),), title=question
        ),
        method=(settings(view), _sources(view), machine(view)),
        note=note,
        findings=[str(row["text"]) for row in view.plain["findings"] if row["name"].split(".")[0] not in _OWN_SECTIONS],
        tables=tables,
    )


def page_of_unknown_kind(record: Record) -> str:
    """Return the page of a record of a kind that has no registered page, with a note that says so."""
    note = f"There is no page for records of kind “{record.kind}” here: these are its findings and tables as they are."
    return page(record, note=note)


def _entry(caption: str, table: Row) -> Entry:
    names = sorted(table["columns"], key=lambda name: _column_order(name, table["columns"][name]))
    columns = tuple(
        Column(
            name.replace("_", " "), numeric=_numeric(table["columns"][name]), note=str(table["describe"].get(name, ""))
        )
        for name in names
    )
    rows = rows_of(table)
    cells = tuple(tuple(cell(row[name]) for name in names) for row in rows[:_MOST])
    cut = f"The first {count(_MOST)} of {count(len(rows))} rows; the record holds all." if len(rows) > _MOST else ""
    return Entry(Grid(caption.replace("_", " ").capitalize(), columns, cells, sortable=True), cut, len(rows) <= _OPEN)


def _column_order(name: str, values: list[object]) -> tuple[object, ...]:
    """Return the sort key of a column, since a record's file does not keep the order of columns.

    Columns of words come first, those with fewer distinct values before others. Of columns of numbers, those that count
    the rows (such as a level or a step) come first, and the ends of an interval (`low`, `high`) after other numbers.
    Columns with a single value come last, among words and among numbers.
    """
    distinct = len({str(value) for value in values})
    return (
        _numeric(values),
        not _counts_rows(values),
        distinct == 1,
        {"low": 1, "high": 2}.get(name, 0),
        0 if _numeric(values) else distinct,
        name,
    )


def _counts_rows(values: list[object]) -> bool:
    """Return whether the numbers grow by the same step from each row to the next."""
    known = [parsed for value in values if (parsed := number(value)) is not None]
    steps = {later - earlier for earlier, later in pairwise(known)}
    return len(known) == len(values) and len(steps) == 1 and min(steps) > 0


def _sources(view: RecordView) -> Grid:
    """Return the table of the files that were read; each study records its own facts about them."""
    rows = [row for row in view.data.get("sources") or () if isinstance(row, dict)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = tuple(Column(name.replace("_", " "), numeric=_numeric([row.get(name) for row in rows])) for name in names)
    return Grid("Files", columns, tuple(tuple(cell(row.get(name)) for name in names) for row in rows))


def _numeric(values: list[object]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(number(value) is not None for value in known)


def cell(value: object) -> Cell:
    """Return the table cell that shows any value that a record can hold."""
    parsed = number(value)
    if value is None:
        return Cell(ABSENT, why="not on record")
    if parsed is None:
        return Cell(_value_text(value))
    return Cell(_plain(parsed), sort=parsed)


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(each)}" for name, each in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def _plain(value: object) -> str:
    parsed = number(value)
    if parsed is None:
        return str(value)
    if abs(parsed) > _LONG or 0 < abs(parsed) < 1 / _LONG:
        return f"{parsed:.{_DIGITS}g}".replace("-", "−") if math.isfinite(parsed) else figures(parsed)
    return count(parsed) if parsed.is_integer() else figures(parsed, _DIGITS)
