"""`wordworth study layers`: find the layers of an encoder that hold a label."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.require_inputs import require_inputs
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.studies.layers.settings import LayersSettings


@click.command("layers", cls=Command, several_values=True)
@settings_options(LayersSettings)
@report_option
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Find the layers of an encoder that hold a label, the best one to use, and what stopping at that layer costs.

    Edge probes say at which layer each task is solved. Linear probes, control tasks and description length say which
    layer to use. With --data the chosen probe is written too, and wordworth predict answers with it.

    \b
    Examples:
      wordworth study layers --model minilm --tasks pos dep ner rel --out run/
      wordworth study layers --data texts.csv --label kind --out run/
      wordworth study layers --tasks pos=trees.conllu names=names.conll spans=spans.jsonl
    """
    from wordworth.reports.probed_layers import verdict_with_costs
    from wordworth.studies.layers import layers

    selected = chosen(choices)
    require_inputs(selected)
    record = layers(out=out, progress=Bars(), **selected)
    say_verdict(record, out, verdict_with_costs(record))
