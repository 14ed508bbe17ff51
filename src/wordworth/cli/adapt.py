"""`wordworth adapt`: a model goes on with the text of your domain or language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.corpus_options import corpus_options, reading
from wordworth.cli.training_options import give_waiting_cores_away, progress, tell, training_options


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
@click.option("--pieces", "more", type=int, help="How many to add at most, where they get more; 2,000 by itself.")
@click.option("--tokenizer", type=click.Path(path_type=Path), help="What replaces them.")
@click.option("--with", "changes", multiple=True, metavar="NAME=VALUE", help="An ingredient to change. Repeatable.")
@corpus_options
@training_options(looks=10)
def command(model: str, corpora: tuple[Path, ...], changes: tuple[str, ...], **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Continue MODEL (a folder or a name) on other text: of your domain, your task or your language.

    \b
    Examples:
      wordworth adapt model/ --corpus notes/ --epochs 3 --out notes-model/
      wordworth adapt minilm --corpus notes/ --vocabulary extend --pieces 3000 --budget 1h --out notes-model/
      wordworth adapt model/ --corpus german/ --corpus english/ --sampling 0.7 --epochs 2 --out both/
    """
    give_waiting_cores_away()
    from wordworth.training.pretraining.continue_training import adapt
    from wordworth.training.pretraining.initial_model import Pieces

    names = ("vocabulary", "tokenizer", "more")
    pieces = Pieces(**{name: choices.pop(name) for name in names})
    how = reading(choices)
    result = adapt(
        model, corpora, pieces=pieces, recipe=("adapt", changes), reading=how, progress=progress(), **choices
    )
    tell(result)
