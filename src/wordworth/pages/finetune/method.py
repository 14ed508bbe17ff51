"""What could be wrong, and how it was done: warnings, method in plain words, settings, files, versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordworth.pages.finetune.view import View
from wordworth.pages.numbers import count, finite, seconds
from wordworth.pages.tables import Cell, Column, Grid, plain


@dataclass(frozen=True, slots=True)
class Method:
    """Sentences, then tables under their titles."""

    sentences: tuple[str, ...]
    tables: tuple[Grid, ...]


def doubts(view: View) -> tuple[str, ...]:
    """The record's warnings."""
    return tuple(str(row["text"]) for row in view.findings("warning"))


def method(view: View) -> Method:
    """Everything that is needed to do it again."""
    spent = [(name, seconds(finite(value))) for name, value in (view.plain["timings"].get("runs") or {}).items()]
    tables = (
        _pairs("Settings", view.settings),
        _parts(view),
        _sources(view),
        _pairs("Versions and machine", _flat(view.plain["environment"])),
        plain("Time spent on each run", ("run", "time"), spent),
    )
    sentences = tuple(str(row["text"]) for row in view.findings("method"))
    return Method(sentences, tuple(table for table in tables if table.rows))


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    inner = {name: value for name, value in values.items() if not isinstance(value, dict)}
    return {**(values.get("versions") or {}), **inner}


def _pairs(caption: str, values: Mapping[str, Any]) -> Grid:
    columns = (Column("name", numeric=False), Column("value", numeric=False))
    rows = tuple((Cell(name.replace("_", " ")), Cell(_words(value))) for name, value in values.items())
    return Grid(caption, columns, rows)


def _words(value: object) -> str:
    if value is None or value in ([], ""):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _parts(view: View) -> Grid:
    names = {"train": "learned from", "dev": "chosen on", "test": "tested on", "cut": "longer than is read, and cut"}
    rows = [(words, count(finite(view.data.get(name)))) for name, words in names.items()]
    return plain("Data", ("part", "examples"), rows)


def _sources(view: View) -> Grid:
    columns = (Column("file", numeric=False), Column("rows"), Column("SHA-256", numeric=False))
    sources = view.data.get("sources") or ()
    rows = tuple((Cell(str(s["path"])), Cell(count(finite(s["rows"]))), Cell(str(s["sha256"]))) for s in sources)
    return Grid("Files", columns, rows)
