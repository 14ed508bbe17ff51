"""`wordworth study commonsense`: ask a model about pronouns, endings and minimal pairs, without training."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.sources import require
from wordworth.studies.commonsense.read_data_sets import data_set_path
from wordworth.studies.commonsense.settings import CommonsenseSettings


@click.command("commonsense", cls=Command, several_values=True)
@settings_options(CommonsenseSettings)
@report_option
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Ask a model what pronouns stand for, how texts end and which of two sentences is grammatical.

    Nothing is trained: the model answers by the likelihood of each candidate, for pronouns by attention too. Scores
    stand beside the scores of guessing, simple rules and random weights. A file of your own has columns text, pronoun,
    candidates (with | between them) and answer; or context, endings and label; or good and bad.

    \b
    Examples:
      wordworth study commonsense --model mini --out run/
      wordworth study commonsense --model mini --data wsc273 copa schemas.tsv
      wordworth study commonsense --model gpt2/ --data blimp gulordava --limit 200
      wordworth study commonsense --model mini --data hellaswag --filter-rounds 10
    """
    from wordworth.studies.commonsense import commonsense

    selected = chosen(choices)
    if "model" in selected:
        require(selected["model"])  # before torch is imported
    for name in selected.get("data", ()):
        data_set_path(name)
    say_verdict(commonsense(out=out, progress=Bars(), **selected), out)
