"""`wordworth study context`: how contextual a model's vectors are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.multi_value import MultiValueCommand
from wordworth.cli.output import warned
from wordworth.cli.progress_bars import Bars
from wordworth.cli.report_option import report_option
from wordworth.sources import require


@click.command("context", cls=MultiValueCommand)
@click.option(
    "--data",
    required=True,
    help="Sentences: a .txt with one a line, a file with a column of texts, or sts; with senses a file with columns "
    "word, sense and sentence, semcor or coarsewsd.",
)
@click.option(
    "--model",
    "--models",
    "models",
    multiple=True,
    help="Encoders and static tables: names, folders or hub names. [default: minilm]",
)
@click.option("--units", help="words, or pieces of the tokenizer taken for words, as the paper did. [default: words]")
@click.option("--pooling", help="What stands for a word: the mean of its pieces, or its first or last. [default: mean]")
@click.option("--last-layer", help="GPT-2's last layer, after or before the final norm. [default: after]")
@click.option("--text", help="Column of the texts. [default: text]")
@click.option("--limit", type=int, help="Read so many different sentences, drawn at random. [default: all]")
@click.option("--contexts", type=int, help="A word counts from so many different sentences on. [default: 5]")
@click.option(
    "--no-first", "first", flag_value=False, default=None, help="The first unit of a sentence does not count."
)
@click.option("--word", "--words", "word", multiple=True, help="Words to show in the word explorer besides its own.")
@click.option("--explorer", type=int, help="Words in the word explorer, with cut sentences; 0: none. [default: 150]")
@click.option("--draws", type=int, help="Resampled sets behind each interval. [default: 1,000]")
@click.option("--dtype", help="An encoder computes in float32, bfloat16, int8, or auto. [default: auto]")
@click.option("--seed", type=int, help="The seed that everything random comes from. [default: 0]")
@report_option
def command(data: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Say how contextual a model's vectors are, layer by layer, each measure beside its own null.

    \b
    Examples:
      wordworth study context --model minilm --data sentences.txt --out run/
      wordworth study context --models minilm mini glove --data sts
      wordworth study context --model bert-base-cased/ --units pieces --data reviews.csv --text review
      wordworth study context --model minilm --data semcor --words bank spring
    """
    from wordworth.studies.context import context

    given = {name: value for name, value in choices.items() if value not in (None, ())}
    for model in given.get("models", ()):
        require(model)  # before torch is loaded
    record = context(data, out=out, progress=Bars(), **given)
    say(f"\n{record.verdict}\n{warned(record)}\n{out / 'report.html'}")
