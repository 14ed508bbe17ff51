"""What could be wrong, and how it was done: warnings, method in plain words, measures, settings, files, versions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordworth.pages.context.view import View
from wordworth.pages.numbers import count, finite, seconds
from wordworth.pages.tables import Grid, plain


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
    measures = [(str(r["measure"]), str(r["meaning"]), str(r["null"])) for r in view.rows("measures")]
    sources = [(str(s["path"]), count(finite(s["rows"])), str(s["sha256"])) for s in view.plain["data"]["sources"]]
    spent = [(name, seconds(finite(value))) for name, value in view.plain["timings"].get("seconds", {}).items()]
    tables = (
        plain("Measures and their nulls", ("measure", "what it is", "its null"), measures, numeric=False),
        _pairs("Settings", view.plain["settings"]),
        plain("Files", ("file", "sentences", "SHA-256"), sources, numeric=False),
        _pairs("Versions and machine", _flat(view.plain["environment"])),
        plain("Time spent on each model", ("model", "time"), spent),
    )
    sentences = tuple(str(row["text"]) for row in view.findings("method"))
    return Method(sentences, tuple(table for table in tables if table.rows))


def _flat(values: Mapping[str, Any]) -> dict[str, Any]:
    inner = {name: value for name, value in values.items() if not isinstance(value, dict)}
    return {**(values.get("versions") or {}), **inner}


def _pairs(caption: str, values: Mapping[str, Any]) -> Grid:
    rows = [
        (name.replace("_", " "), "none" if value in (None, [], "") else str(value)) for name, value in values.items()
    ]
    return plain(caption, ("name", "value"), rows, numeric=False)
