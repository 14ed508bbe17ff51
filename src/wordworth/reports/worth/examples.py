"""Test texts that only one of two rungs gets right."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.reports.record_view import Row
from wordworth.reports.worth.view import Study

_FOLD = 280
_SHOWN = 220


@dataclass(frozen=True, slots=True)
class Example:
    """One text; a long one has a `beginning` and unfolds; the second text of a pair is `second`."""

    text: str
    beginning: str
    second: str
    gold: str
    said: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class Side:
    """The texts that only `title` gets right."""

    title: str
    examples: tuple[Example, ...]


def sides(study: Study) -> tuple[Side, ...]:
    """Both sides, the contextual rung's first; empty if the record compares no texts."""
    rows = study.rows("examples")
    return tuple(_side(study, which, rows) for which in ("contextual", "cheap")) if rows else ()


def _side(study: Study, which: str, rows: list[Row]) -> Side:
    name = study.title(rows[0][f"{which}_rung"])
    examples = tuple(_example(study, row) for row in rows if row["which"] == which)
    return Side(f"Only {name} is right", examples)


def _example(study: Study, row: Row) -> Example:
    text = str(row["text"])
    predictions = tuple(
        (study.title(row[f"{rung}_rung"]), _label(row[rung]), rung == row["which"]) for rung in ("cheap", "contextual")
    )
    beginning = f"{text[:_SHOWN].rsplit(' ', 1)[0]}…" if len(text) > _FOLD else ""
    return Example(text, beginning, str(row["second"] or ""), _label(row["gold"]), predictions)


def _label(value: object) -> str:
    return ", ".join(str(part) for part in value) if isinstance(value, list) else str(value)
