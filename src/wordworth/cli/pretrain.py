"""`wordworth pretrain`: pretrain a language model on text."""

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


@click.command(
    "pretrain",
    cls=Command,
    former_options={**FORMER_OPTIONS, "--at-once": "--micro-batch-tokens", "--shape": "--model-size"},
)
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--out", type=click.Path(path_type=Path), required=True, help="Folder for the model, its log and its checkpoints."
)
@click.option(
    "--tokenizer", type=click.Path(path_type=Path), help="Folder of the tokenizer; not needed for token stores."
)
@click.option(
    "--model-size",
    default="mini",
    show_default=True,
    help="tiny, mini, small, medium, base or large; or LAYERSxWIDTH, such as 6x384.",
)
@click.option(
    "--architecture",
    metavar="[bert|causal-bert|gpt|bilm|...]",
    default="bert",
    show_default=True,
    help="BERT; BERT from left to right; GPT-2; ELMo's two LSTMs; or one that another package brings.",
)
@click.option("--recipe", "named", type=click.Choice(["modern", "paper"]), default="modern", show_default=True)
@override_option
@click.option(
    "--lexicon", type=click.Path(path_type=Path), help="File of phrases, one per line, that are masked as a whole."
)
@corpus_options
@training_options(evals=20)
@click.option("--micro-batch-tokens", type=int, help="Tokens per forward pass. [default: 8,192; on a GPU 32,768]")
@click.option(
    "--milestone",
    "milestones",
    type=float,
    multiple=True,
    help="Fraction of the run after which a copy of the model is kept. Repeatable.",
)
@click.option("--checkpoint-minutes", type=float, default=10.0, show_default=True, help="Minutes between checkpoints.")
@click.option("--sharded", is_flag=True, help="Under torchrun: divide the weights among the processes (FSDP).")
def command(
    corpora: tuple[Path, ...],
    named: str,
    changes: tuple[str, ...],
    **choices: Any,  # noqa: ANN401 - click's values
) -> None:
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
    give_waiting_cores_away()
    from wordworth.training.pretraining.command import run

    reading = corpus_settings(choices)
    result = run(corpora, recipe=(named, changes), reading=reading, progress=progress(), **choices)
    say_result(result)
