"""The page of a record without a page of its own kind: its answer, then its tables as they are, columns explained."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wordworth.records import Record
from wordworth.reports.html import document
from wordworth.reports.method_section import Method, machine, settings
from wordworth.reports.number_format import ABSENT, count, figures, number
from wordworth.reports.record_view import RecordView, Row, rows_of
from wordworth.reports.tables import Cell, Column, Grid

_OWN_SECTIONS = frozenset({"verdict", "warning", "method"})
_OPEN, _MOST, _DIGITS, _LONG = 12, 500, 4, 1e15


@dataclass(frozen=True, slots=True)
class Shown:
    """A table, the note under it, and whether it is unfolded."""

    grid: Grid
    note: str
    open: bool


def page(record: Record) -> str:
    """The page as one self-contained HTML document."""
    recorded = RecordView.of(record)
    kind, name = record.kind.replace("-", " ").capitalize(), str(record.data.get("name", ""))
    return document(
        "bare.html.j2",
        title=" · ".join(part for part in (kind, name) if part),
        asked=" · ".join(part for part in (kind, name) if part),
        made=recorded.made,
        headline=str(recorded.verdict.get("headline") or kind),
        sentences=" ".join(recorded.sentences("verdict")),
        told=[str(row["text"]) for row in recorded.plain["findings"] if row["name"].split(".")[0] not in _OWN_SECTIONS],
        tables=[_shown_table(caption, table) for caption, table in recorded.plain["tables"].items() if rows_of(table)],
        doubts=recorded.sentences("warning"),
        method=Method.of(recorded, settings(recorded), _sources(recorded), machine(recorded)),
        pointers={},
    )


def _shown_table(caption: str, table: Row) -> Shown:
    names = sorted(table["columns"], key=lambda name: _column_order(name, table["columns"][name]))
    columns = tuple(
        Column(
            name.replace("_", " "), numeric=_numeric(table["columns"][name]), note=str(table["describe"].get(name, ""))
        )
        for name in names
    )
    rows = rows_of(table)
    cells = tuple(tuple(_cell(row[name]) for name in names) for row in rows[:_MOST])
    cut = f"The first {count(_MOST)} of {count(len(rows))} rows; the record holds all." if len(rows) > _MOST else ""
    return Shown(Grid(caption.replace("_", " ").capitalize(), columns, cells, sortable=True), cut, len(rows) <= _OPEN)


def _column_order(name: str, values: list[object]) -> tuple[object, ...]:
    """The sort key of a column, since a file has no order of columns: names come first, grouping columns before others.

    An interval comes right after its value.
    """
    distinct = len({str(value) for value in values})
    return (
        _numeric(values),
        distinct == 1,
        {"low": 1, "high": 2}.get(name, 0),
        0 if _numeric(values) else distinct,
        name,
    )


def _sources(recorded: RecordView) -> Grid:
    """The files that were read; each study records its own facts about them."""
    rows = [row for row in recorded.data.get("sources") or () if isinstance(row, dict)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = tuple(Column(name.replace("_", " "), numeric=_numeric([row.get(name) for row in rows])) for name in names)
    return Grid("Files", columns, tuple(tuple(_cell(row.get(name)) for name in names) for row in rows))


def _numeric(values: list[object]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(number(value) is not None for value in known)


def _cell(value: object) -> Cell:
    parsed = number(value)
    if value is None:
        return Cell(ABSENT, why="not on record")
    if parsed is None:
        return Cell(_written(value))
    return Cell(_plain(parsed), sort=parsed)


def _written(value: object) -> str:
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
