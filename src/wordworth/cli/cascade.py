"""`wordworth cascade`: answer with a cheap model, and with a costly model where the cheap one is unsure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_folder, say_verdict
from wordworth.studies.cascade.settings import CascadeSettings
from wordworth.text.read_compressed_file import check_file
from wordworth.training.finetuning.run_folder import model_folder


@click.command("cascade", cls=Command)
@click.argument("first", type=click.Path(path_type=Path))
@click.argument("second", type=click.Path(path_type=Path))
@click.option(
    "--data", type=click.Path(path_type=Path), required=True, help="Labelled rows that neither model learned from."
)
@settings_options(CascadeSettings)
@report_folder("cascade")
def command(out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Let the cheap model in FIRST answer, and the costly one in SECOND where the first is unsure.

    FIRST and SECOND are folders of wordworth worth, finetune or probe, for the same classes. The threshold is chosen on
    half of the rows, and the loss in score is measured on the other half; wordworth serve and wordworth predict read
    OUT.

    \b
    Examples:
      wordworth cascade study/ run/ --data dev.csv --out cascade/
      wordworth cascade study/ run/ --data dev.csv --margin 0.5 --out cascade/
      wordworth serve cascade/
    """
    for name in ("first", "second"):
        model_folder(choices[name])
    check_file(choices["data"])
    from wordworth.reports.cascade import speed_sentence
    from wordworth.studies.cascade import cascade

    record = cascade(out=out, progress=Bars(), **chosen(choices))
    say_verdict(record, out, f"{record.verdict}\n{speed_sentence(record)}")
    say(f"wordworth serve {out}")
