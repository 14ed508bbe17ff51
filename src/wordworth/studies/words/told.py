"""A record of the study as lines on a terminal."""

from __future__ import annotations

from typing import Any

from wordworth.records import Record


def told(record: Record) -> str:
    """A line a score, the means, and what is to be known about the tables."""
    rows = [{**row, "share": row["items"] / row["of"]} for row in record.tables["scores"].rows()]
    rows += [
        {**row, "set": "similarity", "metric": "mean", "share": row["covered"]} for row in record.tables["means"].rows()
    ]
    names = [f"{row['model']}  {row['set']}  {row['metric']}" for row in rows]
    width = max(map(len, names), default=0)
    lines = [_line(name.ljust(width), row) for name, row in zip(names, rows, strict=True)]
    notes = [f"note: {finding.text}" for finding in record.findings if finding.name.startswith("method.")]
    return "\n".join([*lines, *notes])


def _line(name: str, row: dict[str, Any]) -> str:
    between = f"{row['low']:.3f} to {row['high']:.3f}"
    return f"{name}  {row['policy']:<6}  {row['score']:>6.3f}  95 % {between}, {row['share']:.1%} of the items"
