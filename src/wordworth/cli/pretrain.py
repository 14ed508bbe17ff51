"""`wordworth pretrain`: pretrain a language model on text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.training_options import FORMER_OPTIONS, override_option, progress, say_result
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.training.pretraining.settings import PretrainSettings


@click.command(
    "pretrain",
    cls=Command,
    former_options={**FORMER_OPTIONS, "--at-once": "--micro-batch-tokens", "--shape": "--model-size"},
)
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder for the model, its log and its checkpoints."
)
@settings_options(PretrainSettings, CorpusSettings)
@override_option
def command(corpora: tuple[Path, ...], **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Pretrain a language model on text. If it is stopped, the same command resumes from its last checkpoint.

    CORPORA are files or folders of text (.txt, .jsonl, .parquet, also compressed), or token stores.

    \b
    Examples:
      wordworth pretrain corpus/ --tokenizer tok/ --model-size mini --budget 30m --out model/
      wordworth pretrain corpus/ --tokenizer tok/ --recipe paper --model-size base --steps 1000000 --out model/
      wordworth pretrain notes.jsonl --text note --tokenizer tok/ --epochs 4 --out model/
      wordworth pretrain wiki/ books/ --sampling 0.7 --held-out other/ --tokenizer tok/ --epochs 4 --out model/
      wordworth pretrain corpus/ --tokenizer tok/ --override sequences=pairs --steps 20000 --out model/
    """
    from wordworth.training.pretraining import pretrain

    say_result(pretrain(corpora, progress=progress(), **chosen(choices)))
