"""`wordworth study words`: what tables know of single words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.multi_value import MultiValueCommand
from wordworth.cli.progress_bars import Bars
from wordworth.cli.report_option import report_option


@click.command("words", cls=MultiValueCommand)
@click.option("--model", "--models", "models", multiple=True, required=True, help="Static tables: names or paths.")
@click.option("--sets", multiple=True, help="Sets, kinds of sets, or all. [default: all]")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the sets. [default: $WORDWORTH_DATA/wordsets]")
@click.option("--candidates", type=click.Choice(["table", "sets"]), help="What may answer an analogy. [default: table]")
@click.option("--most", type=int, help="Look at so many of a table's first words. [default: 300,000]")
@click.option("--method", type=click.Choice(["add", "mul"]), help="Of analogies. [default: add]")
@click.option("--draws", type=int, help="Resampled sets behind each interval. [default: 1,000]")
@click.option("--seed", type=int, help="Of the resampling and of k-means. [default: 0]")
@report_option
def command(models: tuple[str, ...], out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Score static tables on word benchmarks: similarity, analogy, category, relation.

    Shown is what all tables know (`common`), or what one table knows itself (`drop`); the record also has the scores
    with the mean vector for words that a table lacks (`mean`).

    \b
    Examples:
      wordworth study words --model static/ --sets all
      wordworth study words --models static/ glove wordllama --sets similarity analogy --out run/
      wordworth study words --model vectors.txt --sets google --method mul
    """
    from wordworth.studies.word_benchmarks import terminal_text, words

    given = {name: value for name, value in choices.items() if value not in (None, ())}
    say(f"\n{terminal_text(words(models, out=out, progress=Bars(), **given))}\n")
    say(out / "report.html")
