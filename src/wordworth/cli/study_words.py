"""`wordworth study words`: score static tables on word benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.report_option import report_option


@click.command("words", cls=Command, several_values=True)
@click.option("--model", "--models", "models", multiple=True, required=True, help="Static tables: names or paths.")
@click.option("--sets", multiple=True, help="Word sets, kinds of sets, or all. [default: all]")
@click.option(
    "--data", type=click.Path(path_type=Path), help="Folder of the word sets. [default: $WORDWORTH_DATA/wordsets]"
)
@click.option(
    "--candidates",
    type=click.Choice(["table", "sets"]),
    help="Candidate answers of analogies: words of the table or of the sets. [default: table]",
)
@click.option("--most", type=int, help="Most words to use of each table, the first ones. [default: 300,000]")
@click.option(
    "--method", type=click.Choice(["add", "mul"]), help="Method for analogies: 3CosAdd or 3CosMul. [default: add]"
)
@click.option("--draws", type=int, help="Bootstrap resamples per interval. [default: 1,000]")
@click.option("--seed", type=int, help="Random seed of the resampling and of k-means. [default: 0]")
@report_option
def command(models: tuple[str, ...], out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Score static tables on word benchmarks: similarity, analogy, category, relation.

    Scores are on the words that all tables have (`common`), or for a single table on its own words (`drop`). The record
    also has the scores with the mean vector in place of missing words (`mean`).

    \b
    Examples:
      wordworth study words --model static/ --sets all
      wordworth study words --models static/ glove wordllama --sets similarity analogy --out run/
      wordworth study words --model vectors.txt --sets google --method mul
    """
    from wordworth.studies.word_benchmarks import terminal_text, words

    chosen = {name: value for name, value in choices.items() if value not in (None, ())}
    say(f"\n{terminal_text(words(models, out=out, progress=Bars(), **chosen))}\n")
    say(out / "report.html")
