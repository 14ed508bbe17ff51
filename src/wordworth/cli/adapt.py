"""`wordworth adapt`: a model goes on with the text of your domain or language."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from wordworth.cli.bars import Bars


@click.command("adapt")
@click.argument("model")
@click.option("--corpus", "corpora", multiple=True, required=True, type=click.Path(path_type=Path), help="Repeatable.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the new model.")
@click.option(
    "--vocabulary",
    type=click.Choice(["keep", "extend", "replace"]),
    default="keep",
    show_default=True,
    help="Whether the model's pieces stay, get more, or are replaced.",
)
@click.option("--pieces", "more", type=int, default=2000, show_default=True, help="How many to add at most.")
@click.option("--tokenizer", type=click.Path(path_type=Path), help="What replaces them.")
@click.option("--with", "changes", multiple=True, metavar="NAME=VALUE", help="An ingredient to change. Repeatable.")
@click.option("--steps", type=int, help="How long: so many updates,")
@click.option("--epochs", type=float, help="or so many passes over the corpus,")
@click.option("--budget", help="or so much time: 30m, 2h, 1d.")
@click.option("--held-out", type=click.Path(path_type=Path), help="Text (or a store) that is looked at, never learned.")
@click.option("--looks", type=int, default=10, show_default=True, help="How often held-out text is looked at.")
@click.option("--sampling", type=float, default=1.0, show_default=True, help="Exponent of the corpora's sizes.")
@click.option("--seed", type=int, default=0, show_default=True, help="The seed that everything random comes from.")
@click.option("--dtype", type=click.Choice(["auto", "float32", "bfloat16"]), default="auto", show_default=True)
@click.option("--threads", type=click.IntRange(min=1), help="How many threads torch uses.")
@click.option("--device", default="auto", show_default=True, help="cpu, cuda or auto.")
def command(model: str, corpora: tuple[Path, ...], changes: tuple[str, ...], **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Continue MODEL (a folder or a name) on other text: of your domain, your task or your language.

    \b
    Examples:
      wordworth adapt model/ --corpus notes/ --epochs 3 --out notes-model/
      wordworth adapt minilm --corpus notes/ --vocabulary extend --pieces 3000 --budget 1h --out notes-model/
      wordworth adapt model/ --corpus german/ --corpus english/ --sampling 0.7 --epochs 2 --out both/
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # threads that wait leave their core to other programs
    from wordworth.training.pretraining.adapt import Pieces, adapt

    names = ("vocabulary", "tokenizer", "more")
    pieces = Pieces(**{name: choices.pop(name) for name in names})
    result = adapt(model, corpora, pieces=pieces, recipe=("adapt", changes), progress=Bars(), **choices)
    click.echo(f"{result.folder}: {result.steps:,} steps, {result.tokens:,} tokens, loss {result.loss:.3f}")
