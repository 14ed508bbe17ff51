"""`wordworth prune`: write a smaller copy of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import say_verdict
from wordworth.studies.prune.settings import PruneSettings
from wordworth.text.read_compressed_file import check_file
from wordworth.training.finetuning.run_folder import model_folder


@click.command("prune")
@click.argument("run")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The folder to write: the model, and beside it record.json and report.html.",
)
@settings_options(PruneSettings)
def command(run: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Write a smaller copy of the model in RUN: without its least important attention heads, or with fewer layers.

    RUN is the folder that wordworth finetune wrote; with --layers also an encoder: a name, a folder or a hub name.
    Nothing is trained. A model whose heads are removed computes less, and only Wordworth loads it. With --as-zeros
    other libraries load it, and it computes as much as before. With fewer layers it computes less, and every library
    loads it. With --data, the milliseconds per text are measured too.

    \b
    Examples:
      wordworth prune run/ --heads 0.4 --data dev.csv --out small/
      wordworth prune run/ --heads 0.4 --data dev.csv --as-zeros --out zeros/
      wordworth prune run/ --layers 4 --data dev.csv --onnx --out short/
      wordworth prune minilm --layers 3 --out minilm-3/
    """
    settings = chosen(choices)
    PruneSettings(**settings)  # refused before torch is imported
    if "layers" not in settings:
        model_folder(Path(run))
    if "data" in settings:
        check_file(settings["data"])
    from wordworth.reports.record_view import RecordView
    from wordworth.reports.speed_cells import speed_lines, speed_rows
    from wordworth.studies.prune import prune

    record = prune(run, out, progress=Bars(), **settings)
    say_verdict(
        record,
        out,
        "\n".join(
            [f"{out}: {record.data['form']}", record.verdict, *speed_lines(speed_rows(RecordView.of(record)), "before")]
        ),
    )
