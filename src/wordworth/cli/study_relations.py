"""`wordworth study relations`: find the attention heads that follow syntactic relations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.require_inputs import require_inputs
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.syntactic_relations.settings import RelationsSettings
from wordworth.studies.treebank_sample import treebank_path


@click.command("relations", cls=Command)
@settings_options(RelationsSettings)
@report_option
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Find the attention heads that point from words to their syntactic heads.

    Each relation's best head is chosen on half of the documents and measured on the other half, beside the best fixed
    offset and the best head of an encoder with random weights. With --probes, probes that combine all heads are trained
    on the first half and measured on the other, beside controls without attention and with random weights.

    \b
    Examples:
      wordworth study relations --treebank en_ewt-ud-dev.conllu --out run/
      wordworth study relations --model bert-base-uncased/ --treebank en_ewt
      wordworth study relations --model minilm --treebank en_ewt --probes --out run/
      wordworth study relations --treebank en_ewt --coreference dpr_train
    """
    from wordworth.studies.syntactic_relations import relations

    selected = chosen(choices)
    require_inputs(selected)
    treebank_path(selected.get("treebank"))
    say_verdict(relations(out=out, progress=Bars(), **selected), out)
