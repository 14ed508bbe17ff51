"""`wordworth study context`: measure how contextual a model's vectors are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.sources import require
from wordworth.studies.contextuality.settings import ContextSettings


@click.command("context", cls=Command, several_values=True)
@click.option(
    "--data",
    required=True,
    help="Sentences: a .txt with one per line, a file with a column of texts, or sts; with senses: a file with columns "
    "word, sense and sentence, or semcor or coarsewsd.",
)
@settings_options(ContextSettings)
@report_option
def command(data: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Measure how contextual a model's vectors are in each layer, and what each measure would be without context.

    \b
    Examples:
      wordworth study context --model minilm --data sentences.txt --out run/
      wordworth study context --models minilm mini glove --data sts
      wordworth study context --model bert-base-cased/ --units pieces --data reviews.csv --text review
      wordworth study context --model minilm --data semcor --words bank spring
    """
    from wordworth.studies.contextuality import context

    for model in choices["models"]:
        require(model)  # before torch is imported
    record = context(data, out=out, progress=Bars(), **chosen(choices))
    say_verdict(record, out)
