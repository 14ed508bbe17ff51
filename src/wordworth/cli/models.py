"""`wordworth models`: the catalogue, and fetching from the hub."""

from __future__ import annotations

from collections.abc import Mapping

import click

from wordworth import sources
from wordworth.catalogue import Entry
from wordworth.cli.main_process import say
from wordworth.sources import Resolved


@click.command("models")
@click.option(
    "--download",
    metavar="NAME",
    help="Fetch a model of that name from the Hugging Face hub into its cache, over the network; nothing that runs.",
)
def command(download: str | None) -> None:
    """List what names resolve to what, from where, with which hash, under which licence; or fetch a model.

    A local folder, a file of vectors, or a hub name that is already in the hub's cache can stand wherever a name can.
    The network is reached with --download alone. It fetches weights in safetensors, JSON and text, and shows the
    weights' hash; a name of the list must have the hash that the list shows.

    \b
    Examples:
      wordworth models
      wordworth models | grep install
      wordworth models --download sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2
    """
    if download is not None:
        say(_fetched(sources.download(download)))
        return
    say("\n\n".join(_shown(entry) for entry in sources.catalogue()))


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
    return _listed(f"{entry.name} ({entry.kind})", lines)


def _fetched(found: Resolved) -> str:
    """What is here now, and the hash of each file of weights (of each file, where the catalogue knows them)."""
    return _listed(
        f"{found.name} ({found.kind})", {"here": str(found.folder), **found.sha256, "licence": found.licence}
    )


def _listed(title: str, lines: Mapping[str, str]) -> str:
    return "\n".join([title, *(f"  {name:<8} {value}" for name, value in lines.items())])
