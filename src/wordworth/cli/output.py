"""A record's warnings for the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordworth.records import Record


def warned(record: Record) -> str:
    """The record's warnings, one per line, to print under the verdict; empty where there are none."""
    lines = [f"- {finding.text}" for finding in record.warnings]
    return "\n".join(["", "Before you trust it:", *lines, ""]) if lines else ""
