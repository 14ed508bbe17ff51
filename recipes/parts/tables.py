"""Tables of a record as a reader of Markdown sees them."""

from __future__ import annotations

from typing import Any

from wordworth.records import Table


def markdown(table: Table) -> str:
    """Header and rows, and under them what the columns mean."""
    names = list(table.columns)
    head = [f"| {' | '.join(names)} |", "|" + "---|" * len(names)]
    body = [f"| {' | '.join(cell_text(row[name]) for name in names)} |" for row in table.rows()]
    meanings = "; ".join(f"*{name}*: {meaning}" for name, meaning in table.describe.items())
    return "\n".join([*head, *body, "", meanings])


def cell_text(value: Any) -> str:
    """A cell: four digits, thousands apart."""
    if isinstance(value, float):
        return f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return "" if value is None else str(value)
