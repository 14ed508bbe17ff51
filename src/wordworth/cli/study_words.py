"""`wordworth study words`: score static tables on word benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option
from wordworth.studies.word_benchmarks.settings import WordsSettings


@click.command("words", cls=Command, several_values=True)
@click.option(
    "--model",
    "--models",
    "models",
    multiple=True,
    required=True,
    help="Static tables: names or paths. Repeatable. --model and --models are the same option.",
)
@settings_options(WordsSettings)
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
    from wordworth.studies.word_benchmarks import words
    from wordworth.studies.word_benchmarks.findings import terminal_text

    say(f"\n{terminal_text(words(models, out=out, progress=Bars(), **chosen(choices)))}\n")
    say(out / "report.html")
