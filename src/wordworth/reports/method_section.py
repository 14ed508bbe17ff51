"""The method section: the method in plain words, then settings, files, versions, machine and time spent as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordworth.reports.number_format import count, finite, seconds
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import Cell, Column, Grid, plain


@dataclass(frozen=True, slots=True)
class Method:
    """Sentences on the method, then tables with captions."""

    sentences: tuple[str, ...]
    tables: tuple[Grid, ...]

    @classmethod
    def of(cls, recorded: RecordView, *tables: Grid) -> Method:
        """The record's own sentences on its method, and those of the tables that are not empty."""
        return cls(recorded.sentences("method"), tuple(table for table in tables if table.rows))


def settings(recorded: RecordView) -> Grid:
    """The settings of the record, by name."""
    return _pairs("Settings", recorded.settings)


def sources(recorded: RecordView, counted: str = "rows") -> Grid:
    """The files that were read, each with its hash and its number of rows, or of whatever `counted` names."""
    columns = (Column("file", numeric=False), Column(counted), Column("SHA-256", numeric=False))
    files = recorded.data.get("sources") or ()
    rows = tuple((Cell(str(s["path"])), Cell(count(finite(s["rows"]))), Cell(str(s["sha256"]))) for s in files)
    return Grid("Files", columns, rows)


def machine(recorded: RecordView) -> Grid:
    """The environment of the record: versions, machine, date, and the record's own kind and version."""
    record = {"record": f"{recorded.plain['kind']}, version {recorded.plain['version']}"}
    return _pairs("Versions and machine", {**recorded.plain["environment"], **record})


def time_spent(recorded: RecordView, on: str, of: str = "seconds") -> Grid:
    """The record's timings named `of`; `on` names what each of them was spent on."""
    spent = recorded.plain["timings"].get(of) or {}
    rows = [(name, seconds(finite(value))) for name, value in spent.items()]
    return plain(f"Time spent on each {on}", (on, "time"), rows)


def _pairs(caption: str, values: Mapping[str, Any]) -> Grid:
    """A row for each value; an inner object has a row for each key."""
    flat = [(name, inner) for name, value in values.items() for inner in _lines(value)]
    rows = [((f"{name}: {key}" if key else name).replace("_", " "), words) for name, (key, words) in flat]
    return plain(caption, ("name", "value"), rows, numeric=False)


def _lines(value: object) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [(str(key), _words(inner)) for key, inner in value.items()]
    return [("", _words(value))]


def _words(value: object) -> str:
    """A value in plain words, with all its digits."""
    if value is None or value in ([], ""):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_words(part) for part in value)
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)
