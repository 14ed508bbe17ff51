"""What could mislead whoever trusts an answer, under the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordworth.records import Record


def warned(record: Record) -> str:
    """A record's warnings as lines of their own; empty where there are none."""
    lines = [f"- {finding.text}" for finding in record.warnings]
    return "\n".join(["", "Before you trust it:", *lines, ""]) if lines else ""
