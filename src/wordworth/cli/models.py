"""`wordworth models`: list the catalogue, or download a model from the hub."""

from __future__ import annotations

from collections.abc import Mapping

import click

from wordworth.cli.main_process_output import say
from wordworth.download_catalogue import Entry
from wordworth.models.known_models import models
from wordworth.sources import Resolved


@click.command("models")
@click.option(
    "--download",
    metavar="NAME",
    help="Download this model from the Hugging Face hub into its cache; no code is fetched.",
)
def command(download: str | None) -> None:
    """List the known names with what they are, their origin, hash and licence; or download a model.

    Wherever a command takes a name, it also takes a local folder, a file of vectors, or a hub name that is already in
    the hub's cache. Only --download uses the network. It fetches weights in safetensors, JSON and text, and shows the
    weights' hash. If the model is in this list, its hash must be the one in the list.

    \b
    Examples:
      wordworth models
      wordworth models | grep install
      wordworth models --download sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2
    """
    if download is not None:
        say(_describe_download(models(download=download)))
        return
    say("\n\n".join(_describe_entry(entry) for entry in models()))


def _describe_entry(entry: Entry) -> str:
    """Return the text of one catalogue entry, readable in a narrow terminal and in a pipe."""
    lines = {
        "what": entry.title,
        "here": "yes" if entry.installed else "no",
        "install": "nothing to do: it comes with wordworth" if entry.shipped else entry.install,
        "sha-256": entry.sha256,
        "origin": entry.origin,
        "licence": entry.licence,
    }
    return _block(f"{entry.name} ({entry.kind})", lines)


def _describe_download(model: Resolved) -> str:
    """Return the text of a download: folder and hashes of the weights (for a catalogue entry, of every file)."""
    return _block(f"{model.name} ({model.kind})", {"here": str(model.folder), **model.sha256, "licence": model.licence})


def _block(title: str, lines: Mapping[str, str]) -> str:
    return "\n".join([title, *(f"  {name:<8} {value}" for name, value in lines.items())])
