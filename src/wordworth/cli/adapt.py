"""`wordworth adapt`: continue the pretraining of a model on the text of your domain or language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.corpus_options import corpus_options, corpus_settings
from wordworth.cli.training_options import (
    FORMER_OPTIONS,
    give_waiting_cores_away,
    override_option,
    progress,
    say_result,
    training_options,
)


@click.command("adapt", cls=Command, former_options={**FORMER_OPTIONS, "--pieces": "--new-subwords"})
@click.argument("model")
@click.option(
    "--corpus",
    "corpora",
    multiple=True,
    required=True,
    type=click.Path(path_type=Path),
    help="File or folder of text, or a token store. Repeatable.",
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the new model.")
@click.option(
    "--vocabulary",
    type=click.Choice(["keep", "extend", "replace"]),
    default="keep",
    show_default=True,
    help="Keep the model's vocabulary, add subwords to it, or replace it.",
)
@click.option("--new-subwords", type=int, help="With --vocabulary extend: most subwords to add. [default: 2,000]")
@click.option(
    "--tokenizer", type=click.Path(path_type=Path), help="With --vocabulary replace: folder of the new tokenizer."
)
@override_option
@corpus_options
@training_options(evals=10)
def command(model: str, corpora: tuple[Path, ...], changes: tuple[str, ...], **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Continue the pretraining of MODEL (a folder or a name) on text of your domain, task or language.

    \b
    Examples:
      wordworth adapt model/ --corpus notes/ --epochs 3 --out notes-model/
      wordworth adapt minilm --corpus notes/ --vocabulary extend --new-subwords 3000 --budget 1h --out notes-model/
      wordworth adapt model/ --corpus german/ --corpus english/ --sampling 0.7 --epochs 2 --out both/
    """
    give_waiting_cores_away()
    from wordworth.training.pretraining.command import adapt
    from wordworth.training.pretraining.initial_model import VocabularyChange

    names = ("vocabulary", "tokenizer", "new_subwords")
    change = VocabularyChange(**{name: choices.pop(name) for name in names})
    reading = corpus_settings(choices)
    result = adapt(
        model,
        corpora,
        vocabulary=change,
        recipe=("adapt", changes),
        reading=reading,
        progress=progress(),
        **choices,
    )
    say_result(result)
