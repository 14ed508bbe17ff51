"""`wordworth study finetuning`: find out what fine-tuning changed in a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_folder, say_verdict
from wordworth.studies.finetuning_changes.settings import FinetuningChangesSettings
from wordworth.text.read_compressed_file import check_file
from wordworth.training.finetuning.run_folder import model_folder


@click.command("finetuning", cls=Command)
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="Labelled rows that the model did not learn from. [default: those that the run kept]",
)
@settings_options(FinetuningChangesSettings)
@report_folder("changes")
def command(run: Path, data: Path | None, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Find out what fine-tuning changed in the model in RUN, layer by layer, and the shape of the loss around it.

    The study compares states and attention maps before and after, and lists the words whose vectors changed most. It
    measures the loss along lines and on a plane between weights, and the score after layers are reset. Each number
    stands beside the same number for another seed. RUN is best made by wordworth finetune --keep-path --restarts 2,
    which keeps the rows, the weights along the way and a run of another seed.

    \b
    Examples:
      wordworth study finetuning run/
      wordworth study finetuning run/ --data dev.csv --second-run run2/ --out changes/
      wordworth study finetuning run/ --scratch-run scratch/ --other-task cola/
    """
    model_folder(run)
    if data is not None:
        check_file(data)
    from wordworth.studies.finetuning_changes import finetuning_changes

    say_verdict(finetuning_changes(run, data, out=out, progress=Bars(), **chosen(choices)), out)
