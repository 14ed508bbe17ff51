"""`wordworth study neighbours`: find the contexts that are nearest to a word in its sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.require_inputs import require_inputs
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.neighbours.settings import NeighboursSettings


@click.command("neighbours", cls=Command)
@click.argument("sentence")
@click.argument("data")
@settings_options(NeighboursSettings)
@report_option
def command(sentence: str, data: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Find the contexts of a corpus that are nearest to a word in its sentence.

    SENTENCE has one word in square brackets. DATA is a .txt with one text per line, a file with a column of texts, or a
    treebank in CoNLL-U, whose relations and syntactic heads are then compared too.

    \b
    Examples:
      wordworth study neighbours "He sat by the [bank] of the river." texts.csv
      wordworth study neighbours "She [runs] it." en_ewt-ud-dev.conllu --layer 3 --head 5 --out run/
    """
    from wordworth.studies.neighbours import neighbours

    selected = chosen(choices)
    require_inputs({**selected, "data": data})
    say_verdict(neighbours(sentence, Path(data), out=out, progress=Bars(), **selected), out)
