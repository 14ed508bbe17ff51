"""How it was done: method in plain words, settings, data with hashes, classes, versions, machine, time spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordworth.pages.numbers import count, figures, finite, seconds
from wordworth.pages.tables import Cell, Column, Grid, plain
from wordworth.pages.worth.study import Study

_LENGTHS = (("words_median", "median words of a text"), ("words_p95", "words that 19 of 20 texts stay under"),
            ("words_max", "words of the longest text"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Method:
    """Sentences, then tables under their titles."""

    sentences: tuple[str, ...]
    tables: tuple[Grid, ...]


def method(study: Study) -> Method:
    """Everything that is needed to do it again."""
    plain_ = study.plain
    spent = [(stage, seconds(finite(value))) for stage, value in (plain_["timings"].get("seconds") or {}).items()]
    tables = [
        _pairs("Settings", study.settings),
        _data(study),
        _sources(study),
        _classes(study),
        _pairs(
            "Versions and machine",
            {**plain_["environment"], "record": f"{plain_['kind']}, version {plain_['version']}"},
        ),
        plain("Time spent", ("stage", "time"), spent) if spent else None,
    ]
    sentences = tuple(str(row["text"]) for row in study.findings("method"))
    return Method(sentences, tuple(table for table in tables if table is not None and table.rows))


def _pairs(caption: str, values: Mapping[str, Any]) -> Grid:
    flat = [(name, inner) for name, value in values.items() for inner in _flat(value)]
    rows = [(name if not key else f"{name}: {key}", words) for name, (key, words) in flat]
    columns = (Column("name", numeric=False), Column("value", numeric=False))
    return Grid(caption, columns, tuple((Cell(name.replace("_", " ")), Cell(words)) for name, words in rows))


def _flat(value: object) -> list[tuple[str, str]]:
    """A value as lines: an inner object has a line a key."""
    if isinstance(value, dict):
        return [(str(key), _words(inner)) for key, inner in value.items()]
    return [("", _words(value))]


def _words(value: object) -> str:
    if value is None or value in ([], ""):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(_words(part) for part in value)
    return str(value)


def _data(study: Study) -> Grid:
    data = study.data
    rows = [
        ("name", str(data["name"])),
        ("kind of task", str(data["kind"])),
        ("metric", study.unit.title),
        ("training part", count(finite(data.get("train")))),
        ("test part", count(finite(data.get("test")))),
        *((title, figures(finite(data.get(name)), 3)) for name, title in _LENGTHS),
        ("texts longer than the encoder's window", count(finite(data.get("windowed")))),
    ]
    return plain("Data", ("what", "value"), rows, numeric=False)


def _sources(study: Study) -> Grid:
    columns = (Column("file", numeric=False), Column("rows"), Column("SHA-256", numeric=False))
    sources = study.data.get("sources") or ()
    rows = tuple((Cell(str(s["path"])), Cell(count(finite(s["rows"]))), Cell(str(s["sha256"]))) for s in sources)
    return Grid("Files", columns, rows)


def _classes(study: Study) -> Grid:
    columns = (Column("label", numeric=False), Column("training texts"), Column("test texts"))
    rows = tuple(
        (Cell(str(row["name"])), *(Cell(count(finite(row[part])), finite(row[part])) for part in ("train", "test")))
        for row in study.rows("classes")
    )
    return Grid(f"Labels ({len(rows)})", columns, rows, sortable=True)
