"""`wordworth models`: the catalogue."""

from __future__ import annotations

import click

from wordworth.sources import Entry, catalogue


@click.command("models")
def command() -> None:
    """List what names resolve to what, from where, with which hash, under which licence.

    A local folder, a file of vectors, or a hub name that is already in the hub's cache can stand wherever a name can.

    \b
    Examples:
      wordworth models
      wordworth models | grep install
    """
    click.echo("\n\n".join(_shown(entry) for entry in catalogue()))


def _shown(entry: Entry) -> str:
    """One entry, whole in a narrow terminal and in a pipe."""
    lines = {
        "what": entry.title,
        "here": "yes" if entry.installed else "no",
        "install": "nothing to do: it comes with wordworth" if entry.shipped else entry.install,
        "sha-256": entry.sha256,
        "origin": entry.origin,
        "licence": entry.licence,
    }
    return "\n".join([f"{entry.name} ({entry.kind})", *(f"  {name:<8} {value}" for name, value in lines.items())])
