"""`wordworth study senses`: does a model tell the senses of a word apart."""

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


@click.command("senses", cls=MultiValueCommand)
@click.option(
    "--model",
    "--models",
    "models",
    multiple=True,
    help="Encoders and static tables: names, folders or hub names. [default: minilm]",
)
@click.option(
    "--data",
    multiple=True,
    help="semcor, coarsewsd, wic, or files of your own. [default: those that WORDWORTH_DATA has]",
)
@click.option("--pooling", help="What stands for a word: the mean of its pieces, or its first or last. [default: mean]")
@click.option("--limit", type=int, help="Read so many sentences of a set, drawn at random. [default: all]")
@click.option("--occurrences", type=int, help="A word is explained from so many occurrences on. [default: 10]")
@click.option("--words", type=int, help="Words in the explorer, the most frequent; 0 for none. [default: 150]")
@click.option("--draws", type=int, help="Resampled sets behind each interval. [default: 1,000]")
@click.option("--seed", type=int, help="The seed that everything random comes from. [default: 0]")
@report_option
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Tell word senses by the nearest centroid, layer by layer, and look at words one by one.

    \b
    A file of your own has a row a tagged word, with columns
      word, sense, sentence   and if you like
      index                   the word's place in the sentence, from 0 (else: where it first stands)
      split                   train or test (else: each document is told by the others)
      document                (else: each sentence by the others)
    or a row a pair of sentences, with columns
      split, word, indices (as 2-6), sentence1, sentence2, label (T: one sense, F: two)

    \b
    Examples:
      wordworth study senses --model minilm --out run/
      wordworth study senses --models minilm glove --data coarsewsd wic
      wordworth study senses --model bert-base-cased/ --data senses.csv --words 50
    """
    from wordworth.studies.senses import senses

    given = {name: value for name, value in choices.items() if value not in (None, ())}
    for model in given.get("models", ()):
        require(model)  # before torch is loaded
    record = senses(out=out, progress=Bars(), **given)
    say(f"\n{record.verdict}\n{warned(record)}\n{out / 'report.html'}")
