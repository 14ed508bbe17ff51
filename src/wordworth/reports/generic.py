"""The page of a record whose kind has none of its own: its answer, then its tables as they are, columns explained."""

from __future__ import annotations

import math
from dataclasses import dataclass

from wordworth.records import Record
from wordworth.reports.html import document
from wordworth.reports.method_section import Method, machine, settings
from wordworth.reports.number_format import ABSENT, count, figures, number
from wordworth.reports.record_view import RecordView, Row, rows_of
from wordworth.reports.tables import Cell, Column, Grid

_TOLD_APART = frozenset({"verdict", "warning", "method"})
_OPEN, _MOST, _DIGITS, _LONG = 12, 500, 4, 1e15


@dataclass(frozen=True, slots=True)
class Shown:
    """A table, the words under it, and whether it stands open."""

    grid: Grid
    note: str
    open: bool


def page(record: Record) -> str:
    """One self-contained HTML document."""
    recorded = RecordView.of(record)
    kind, name = record.kind.replace("-", " ").capitalize(), str(record.data.get("name", ""))
    return document(
        "bare.html.j2",
        title=" · ".join(part for part in (kind, name) if part),
        asked=" · ".join(part for part in (kind, name) if part),
        made=recorded.made,
        headline=str(recorded.verdict.get("headline") or kind),
        sentences=" ".join(recorded.sentences("verdict")),
        told=[str(row["text"]) for row in recorded.plain["findings"] if row["name"].split(".")[0] not in _TOLD_APART],
        tables=[_shown(caption, table) for caption, table in recorded.plain["tables"].items() if rows_of(table)],
        doubts=recorded.sentences("warning"),
        method=Method.of(recorded, settings(recorded), _sources(recorded), machine(recorded)),
        pointers={},
    )


def _shown(caption: str, table: Row) -> Shown:
    names = sorted(table["columns"], key=lambda name: _place(name, table["columns"][name]))
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


def _place(name: str, values: list[object]) -> tuple[object, ...]:
    """Where a column goes, for a file knows no order: names first, what groups rows before what tells them apart.

    An interval stands behind what it is of.
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
    """The files read; each study tells its own of them."""
    found = [row for row in recorded.data.get("sources") or () if isinstance(row, dict)]
    names = list(dict.fromkeys(name for row in found for name in row))
    columns = tuple(
        Column(name.replace("_", " "), numeric=_numeric([row.get(name) for row in found])) for name in names
    )
    return Grid("Files", columns, tuple(tuple(_cell(row.get(name)) for name in names) for row in found))


def _numeric(values: list[object]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(number(value) is not None for value in known)


def _cell(value: object) -> Cell:
    found = number(value)
    if value is None:
        return Cell(ABSENT, why="not on record")
    if found is None:
        return Cell(_written(value))
    return Cell(_plain(found), sort=found)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(each)}" for name, each in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def _plain(value: object) -> str:
    found = number(value)
    if found is None:
        return str(value)
    if abs(found) > _LONG or 0 < abs(found) < 1 / _LONG:
        return f"{found:.{_DIGITS}g}".replace("-", "−") if math.isfinite(found) else figures(found)
    return count(found) if found.is_integer() else figures(found, _DIGITS)
