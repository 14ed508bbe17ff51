"""`wordworth study context`: measure how contextual a model's vectors are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process import say
from wordworth.cli.output import warned
from wordworth.cli.progress_bars import Bars
from wordworth.cli.report_option import report_option
from wordworth.sources import require


@click.command("context", cls=Command, several_values=True)
@click.option(
    "--data",
    required=True,
    help="Sentences: a .txt with one per line, a file with a column of texts, or sts; with senses: a file with columns "
    "word, sense and sentence, or semcor or coarsewsd.",
)
@click.option(
    "--model",
    "--models",
    "models",
    multiple=True,
    help="Encoders and static tables: names, folders or hub names. [default: minilm]",
)
@click.option("--units", help="words, or the tokenizer's pieces in place of words, as in the paper. [default: words]")
@click.option(
    "--pooling", help="A word's vector: the mean of its pieces (mean), or its first or last piece. [default: mean]"
)
@click.option("--last-layer", help="GPT-2's last layer: after or before the final norm. [default: after]")
@click.option("--text", help="Column of the texts. [default: text]")
@click.option("--limit", type=int, help="Number of different sentences to read, drawn at random. [default: all]")
@click.option("--contexts", type=int, help="Fewest different sentences that a measured word occurs in. [default: 5]")
@click.option("--no-first", "first", flag_value=False, default=None, help="Leave out the first unit of each sentence.")
@click.option("--word", "--words", "word", multiple=True, help="Words to add to the word explorer.")
@click.option(
    "--explorer",
    type=int,
    help="Number of words in the word explorer, with excerpts of sentences; 0 for none. [default: 150]",
)
@click.option("--draws", type=int, help="Bootstrap resamples per interval. [default: 1,000]")
@click.option("--dtype", help="Data type that an encoder computes in: float32, bfloat16, int8 or auto. [default: auto]")
@click.option("--seed", type=int, help="Random seed. [default: 0]")
@report_option
def command(data: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Measure how contextual a model's vectors are, layer by layer, each measure beside its own null.

    \b
    Examples:
      wordworth study context --model minilm --data sentences.txt --out run/
      wordworth study context --models minilm mini glove --data sts
      wordworth study context --model bert-base-cased/ --units pieces --data reviews.csv --text review
      wordworth study context --model minilm --data semcor --words bank spring
    """
    from wordworth.studies.context import context

    chosen = {name: value for name, value in choices.items() if value not in (None, ())}
    for model in chosen.get("models", ()):
        require(model)  # before torch is imported
    record = context(data, out=out, progress=Bars(), **chosen)
    say(f"\n{record.verdict}\n{warned(record)}\n{out / 'report.html'}")
