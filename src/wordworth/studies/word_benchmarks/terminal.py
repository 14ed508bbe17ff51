"""A record of the study as text for a terminal: the conclusion, and a table with one row per set."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from wordworth.records import Record

_ABSENT = "–"


def terminal_text(record: Record) -> str:
    """Write the conclusion with its interval, the scores by table, the warnings, and the files that were not read."""
    rows = record.tables["scores"].rows()
    policy = "common" if any(row["policy"] == "common" for row in rows) else "drop"
    known = "every table has" if policy == "common" else "the table has"
    head = f"On items of which {known} every word (`{policy}`); the record holds intervals and other policies."
    notes = [finding.text for finding in [*record.warnings, *_unread(record)]]
    displayed = [row for row in rows if row["policy"] == policy]
    return "\n".join(
        [record.verdict, "", head, "", *_table(record, displayed), *(["", *_bullets(notes)] if notes else [])]
    )


def _unread(record: Record) -> list[Any]:
    return [finding for finding in record.findings if finding.name == "method.unread"]


def _bullets(notes: Sequence[str]) -> list[str]:
    return [f"- {note}" for note in notes]


def _table(record: Record, displayed: Sequence[dict[str, Any]]) -> list[str]:
    """Align the scores in columns: names to the left, numbers to the right."""
    tables = record.data["tables"]
    head = ["set", "metric", "items", *(table["label"] for table in tables)]
    scores = {(row["set"], row["metric"], row["model"]): row["score"] for row in displayed}
    counts = {(row["set"], row["metric"]): f"{row['items']:,} of {row['of']:,}" for row in displayed}
    body = [
        [name, metric, items, *(_score(scores[name, metric, table["name"]]) for table in tables)]
        for (name, metric), items in counts.items()
    ]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    names = 2
    return [
        "  ".join(
            cell.ljust(width) if column_index < names else cell.rjust(width)
            for column_index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *body]
    ]


def _score(score: float | None) -> str:
    return _ABSENT if score is None or math.isnan(score) else f"{score:.3f}"
