"""`markdown`: a table of a record as Markdown."""

from __future__ import annotations

from typing import Any

from wordworth.records import Table


def markdown(table: Table) -> str:
    """Return a table as Markdown: header, rows, and the descriptions of the columns below."""
    names = list(table.columns)
    head = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    body = [f"| {' | '.join(cell_text(row[name]) for name in names)} |" for row in table.rows()]
    meanings = "; ".join(f"*{name}*: {meaning}" for name, meaning in table.describe.items())
    return "\n".join([*head, *body, "", meanings])


def cell_text(value: Any) -> str:
    """Return a value as the text of a cell: a number with four significant digits and thousands separators."""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)
