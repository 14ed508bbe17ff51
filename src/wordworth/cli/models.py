"""`wordworth models`: the catalogue."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from wordworth.sources import catalogue


@click.command("models")
def command() -> None:
    """List what names resolve to what, from where, with which hash, under which licence.

    \b
    Example:
      wordworth models
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "kind", "what", "from", "sha-256", "licence", "here"):
        table.add_column(heading, overflow="fold")
    for entry in catalogue():
        table.add_row(
            entry.name,
            entry.kind,
            entry.title,
            entry.pin,
            entry.sha256[:12],
            entry.licence,
            "yes" if entry.installed else "no",
        )
    Console().print(table)
