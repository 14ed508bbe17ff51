"""`wordworth adapt`: continue the pretraining of a model on the text of your domain or language."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.training_options import FORMER_OPTIONS, override_option, progress, say_result
from wordworth.text.corpus.documents import CorpusSettings
from wordworth.training.pretraining.settings import AdaptSettings


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
@settings_options(AdaptSettings, CorpusSettings)
@override_option
def command(model: str, corpora: tuple[Path, ...], **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Continue the pretraining of MODEL (a folder or a name) on text of your domain, task or language.

    \b
    Examples:
      wordworth adapt model/ --corpus notes/ --epochs 3 --out notes-model/
      wordworth adapt minilm --corpus notes/ --vocabulary extend --new-subwords 3000 --budget 1h --out notes-model/
      wordworth adapt model/ --corpus german/ --corpus english/ --sampling 0.7 --epochs 2 --out both/
    """
    from wordworth.training.pretraining import adapt

    say_result(adapt(model, corpora, progress=progress(), **chosen(choices)))
