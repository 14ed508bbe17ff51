"""`wordworth study syntax`: measure how much of a sentence's tree is in a model's vectors and attention."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.require_inputs import require_inputs
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.syntax.settings import SyntaxSettings
from wordworth.studies.treebank_sample import treebank_path


@click.command("syntax", cls=Command)
@settings_options(SyntaxSettings)
@report_option
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Measure how much of a sentence's tree is in a model's vectors, layer by layer, and in its attention.

    Probes are trained on some documents and measured on others. Controls are random weights, the order of words,
    shuffled vectors, and trees that depend on the form of words alone.

    \b
    Examples:
      wordworth study syntax --treebank en_ewt-ud-dev.conllu --out run/
      wordworth study syntax --treebank train.conllu --test dev.conllu --model bert-base-uncased/
      wordworth study syntax --model minilm --treebank en_ewt       # a name in $WORDWORTH_DATA/syntax/ud
    """
    from wordworth.studies.syntax import syntax

    selected = chosen(choices)
    require_inputs(selected)
    treebank_path(selected.get("treebank"))
    say_verdict(syntax(out=out, progress=Bars(), **selected), out)
