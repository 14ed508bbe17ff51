"""`wordworth pretrain`: from text to a language model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.corpus_options import corpus_options, reading
from wordworth.cli.training_options import give_waiting_cores_away, progress, tell, training_options


@click.command("pretrain")
@click.argument("corpora", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder of the model, its log and state.")
@click.option("--tokenizer", type=click.Path(path_type=Path), help="Folder of the tokenizer; not needed for stores.")
@click.option("--shape", default="mini", show_default=True, help="tiny, mini, small, medium, base, large, or 6x384.")
@click.option(
    "--architecture",
    type=click.Choice(["bert", "causal-bert", "gpt", "bilm"]),
    default="bert",
    show_default=True,
    help="BERT; the same from left to right; GPT-2's; ELMo's two LSTMs.",
)
@click.option("--recipe", "named", type=click.Choice(["modern", "paper"]), default="modern", show_default=True)
@click.option("--with", "changes", multiple=True, metavar="NAME=VALUE", help="An ingredient to change. Repeatable.")
@click.option("--lexicon", type=click.Path(path_type=Path), help="Phrases, one a line, that are masked whole.")
@corpus_options
@training_options(looks=20)
@click.option("--at-once", type=int, help="Tokens of one pass; by itself 8,192, on a GPU 32,768.")
@click.option("--milestone", "milestones", type=float, multiple=True, help="Share of the run to keep a model at.")
@click.option("--checkpoint-minutes", type=float, default=10.0, show_default=True)
@click.option("--sharded", is_flag=True, help="Under torchrun: each process holds a part of the weights.")
def command(
    corpora: tuple[Path, ...],
    named: str,
    changes: tuple[str, ...],
    threads: int | None,
    **choices: Any,  # noqa: ANN401 - click's values
) -> None:
    """Pretrain a language model on text. Stopped at any point, the same command goes on from its last checkpoint.

    CORPORA are files or folders of text (.txt, .jsonl, .parquet, also packed), or token stores.

    \b
    Examples:
      wordworth pretrain corpus/ --tokenizer tok/ --shape mini --budget 30m --out model/
      wordworth pretrain corpus/ --tokenizer tok/ --recipe paper --shape base --steps 1000000 --out model/
      wordworth pretrain notes.jsonl --text note --tokenizer tok/ --epochs 4 --out model/
      wordworth pretrain wiki/ books/ --sampling 0.7 --held-out other/ --tokenizer tok/ --epochs 4 --out model/
      wordworth pretrain corpus/ --tokenizer tok/ --with sequences=pairs --with dropout=0.1 --steps 20000 --out model/
    """
    give_waiting_cores_away()
    from wordworth.training.pretraining.command import run

    how = reading(choices)
    result = run(corpora, recipe=(named, changes), reading=how, threads=threads, progress=progress(), **choices)
    tell(result)
