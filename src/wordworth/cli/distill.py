"""`wordworth distill`: train a smaller model on the answers of a fine-tuned one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import say_verdict
from wordworth.studies.distill.settings import DistillSettings


@click.command("distill")
@click.argument("run")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for record.json, report.html, the student in model/, and runs/, from which stopped runs resume.",
)
@settings_options(DistillSettings)
def command(run: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Train a model of fewer layers on the answers of the fine-tuned model in RUN, beside a control without them.

    RUN is the folder that wordworth finetune wrote, for texts or pairs with classes. The student begins as its first
    layers, with --start pretrained as those of the model that it was fine-tuned from, or with --start bilstm as a
    new BiLSTM; wherever a command takes RUN, it takes the student's folder too. A static table as a student is made by
    wordworth to-static, a smaller sentence encoder by wordworth train-sentences --loss mse.

    \b
    Methods:
      kd          the teacher's answers (Hinton et al. 2015)
      pkd-skip    and its text vectors, layers at equal distances (Sun et al. 2019)
      pkd-last    and its text vectors, the layers before the last
      distilbert  and the direction of every token's last state (Sanh et al. 2019)
      tinybert    first its states and attention, then its answers (Jiao et al. 2020)
      finetune    the labels alone

    \b
    Examples:
      wordworth distill run/ --layers 3 --data train.csv --out small/
      wordworth distill run/ --layers 3 --method kd --data train.csv --test dev.csv --out small/
      wordworth distill run/ --data train.csv --compare finetune,kd,pkd-last --out small/
      wordworth distill run/ --start bilstm --method kd --data train.csv --out small/
      wordworth predict small/ new.csv --out answers.csv
    """
    settings = chosen(choices)
    DistillSettings(**settings)  # refused before torch is imported
    from wordworth.reports.record_view import RecordView
    from wordworth.reports.speed_cells import speed_lines, speed_rows
    from wordworth.studies.distill import distill

    record = distill(run, out, progress=Bars(), **settings)
    say_verdict(
        record, out, "\n".join([record.verdict, *speed_lines(speed_rows(RecordView.of(record)), "the teacher")])
    )
