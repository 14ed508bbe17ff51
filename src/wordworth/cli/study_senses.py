"""`wordworth study senses`: measure whether a model tells the senses of a word apart."""

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


@click.command("senses", cls=Command, several_values=True)
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
    help="semcor, coarsewsd, wic, or your own files. [default: those in $WORDWORTH_DATA]",
)
@click.option(
    "--pooling", help="A word's vector: the mean of its pieces (mean), or its first or last piece. [default: mean]"
)
@click.option("--limit", type=int, help="Number of sentences to read of each data set, drawn at random. [default: all]")
@click.option(
    "--occurrences", type=int, help="Fewest occurrences of a word whose self-similarity is explained. [default: 10]"
)
@click.option(
    "--words", type=int, help="Number of words in the explorer, the most frequent; 0 for none. [default: 150]"
)
@click.option("--draws", type=int, help="Bootstrap resamples per interval. [default: 1,000]")
@click.option("--seed", type=int, help="Random seed. [default: 0]")
@report_option
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Classify word senses by the nearest centroid, layer by layer, and look at words one by one.

    \b
    Your own file has one row per tagged word, with columns
      word, sense, sentence   and optionally
      index                   position of the word in the sentence, from 0 (default: its first occurrence)
      split                   train or test (default: each document is classified from the others)
      document                (default: each sentence is classified from the others)
    or one row per pair of sentences, with columns
      split, word, indices (as 2-6), sentence1, sentence2, label (T: same sense, F: different senses)

    \b
    Examples:
      wordworth study senses --model minilm --out run/
      wordworth study senses --models minilm glove --data coarsewsd wic
      wordworth study senses --model bert-base-cased/ --data senses.csv --words 50
    """
    from wordworth.studies.senses import senses

    chosen = {name: value for name, value in choices.items() if value not in (None, ())}
    for model in chosen.get("models", ()):
        require(model)  # before torch is imported
    record = senses(out=out, progress=Bars(), **chosen)
    say(f"\n{record.verdict}\n{warned(record)}\n{out / 'report.html'}")
