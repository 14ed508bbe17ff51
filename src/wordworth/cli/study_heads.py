"""`wordworth study heads`: find out which attention heads a fine-tuned model needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_folder, say_verdict
from wordworth.studies.heads.settings import HeadsSettings
from wordworth.text.read_compressed_file import check_file
from wordworth.training.finetuning.run_folder import model_folder


@click.command("heads", cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--data", type=click.Path(path_type=Path), required=True, help="Labelled rows that the model did not learn from."
)
@settings_options(HeadsSettings)
@report_folder("heads")
def command(run: Path, data: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Find out which attention heads the fine-tuned model in RUN needs, and how many can go.

    The study measures each head's importance and what removing the head changes. It shows pruning curves beside the
    curves of random orders, and smaller models with their score and speed. Heads are chosen on half of the rows, and
    scores are measured on the other half. Scores are computed as predict computes them, in bfloat16 where the processor
    has it; importance in float32.

    \b
    Examples:
      wordworth study heads run/ --data dev.csv --out heads/
      wordworth study heads run/ --data dev.csv --second-run run2/ --margin 0.5 --out heads/
    """
    model_folder(run)
    check_file(data)
    from wordworth.studies.heads import heads

    say_verdict(heads(run, data, out=out, progress=Bars(), **chosen(choices)), out)
