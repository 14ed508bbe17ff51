"""`wordworth study senses`: measure whether a model tells the senses of a word apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.sources import require
from wordworth.studies.senses.settings import SensesSettings


@click.command("senses", cls=Command, several_values=True)
@settings_options(SensesSettings)
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

    for model in choices["models"]:
        require(model)  # before torch is imported
    record = senses(out=out, progress=Bars(), **chosen(choices))
    say_verdict(record, out)
