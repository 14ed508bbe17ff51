"""`wordworth probe`: make a linear probe of a frozen encoder for one's own labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.require_inputs import require_inputs
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_folder, say_verdict
from wordworth.studies.layers.settings import ProbeSettings


@click.command("probe", cls=Command)
@settings_options(ProbeSettings)
@report_folder("probe")
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Make a linear probe of a frozen encoder for your own labels, and choose the layer that it reads.

    The probe is a few kilobytes in OUT/model and names its encoder: wordworth predict answers with it as with a
    fine-tuned model. With several probes of one encoder, predict reads each text once.

    \b
    Examples:
      wordworth probe --data train.csv --label topic --out topic/
      wordworth predict topic/ new.csv --out answers.csv
      wordworth predict topic/ tone/ new.csv --out answers.csv
      wordworth probe --model minilm --data names.conll --out names/
    """
    from wordworth.reports.probed_layers import verdict_with_costs
    from wordworth.studies.layers import probe

    selected = chosen(choices)
    require_inputs(selected)
    record = probe(out=out, progress=Bars(), **selected)
    say_verdict(record, out, verdict_with_costs(record))
    say(f"wordworth predict {out} INPUT --out answers.csv")
