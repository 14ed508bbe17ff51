"""`wordworth distill`: train a smaller model on the answers of a fine-tuned one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import say_verdict
from wordworth.studies.distill.settings import DistillSettings
from wordworth.text.read_compressed_file import check_file
from wordworth.training.finetuning.run_folder import model_folder


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
    """Train a model of fewer layers on the answers of the fine-tuned model in RUN, and a control without these answers.

    RUN, the teacher, is a folder that wordworth finetune wrote, for texts or pairs with classes. The student starts
    from the teacher's first layers, with --start pretrained from the first layers of the model that the teacher was
    fine-tuned from, or with --start bilstm from a new BiLSTM. Every command that takes RUN takes the student's folder
    too. To make a static table, use wordworth to-static; for a smaller sentence encoder, wordworth train-sentences
    --loss mse.

    \b
    Methods, by what the student learns:
      kd          the teacher's answers (Hinton et al. 2015)
      pkd-skip    as kd, and text vectors of layers at equal distances (Sun et al. 2019)
      pkd-last    as kd, and text vectors of the layers before the last
      distilbert  as kd, and the direction of every token's last state (Sanh et al. 2019)
      tinybert    first the teacher's states and attention, then its answers (Jiao et al. 2020)
      finetune    the labels alone (the control)

    \b
    Examples:
      wordworth distill run/ --layers 3 --data train.csv --out small/
      wordworth distill run/ --layers 3 --method kd --data train.csv --test dev.csv --out small/
      wordworth distill run/ --data train.csv --compare finetune,kd,pkd-last --out small/
      wordworth distill run/ --start bilstm --data train.csv --out small/
      wordworth predict small/ new.csv --out answers.csv
    """
    settings = chosen(choices)
    DistillSettings(**settings)  # refused before torch is imported
    model_folder(Path(run))
    check_file(settings["data"])
    from wordworth.reports.distill import method_lines
    from wordworth.reports.record_view import RecordView
    from wordworth.reports.speed_cells import speed_lines, speed_rows
    from wordworth.studies.distill import distill

    record = distill(run, out, progress=Bars(), **settings)
    view = RecordView.of(record)
    lines = [record.verdict, *method_lines(view), *speed_lines(speed_rows(view), "the teacher")]
    say_verdict(record, out, "\n".join(lines))
