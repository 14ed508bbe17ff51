"""`wordworth prune`: write a smaller copy of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.inference.prune_settings import PruneSettings
from wordworth.text_format import count_of, points


@click.command("prune")
@click.argument("run")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write.")
@settings_options(PruneSettings)
def command(run: str, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Write a smaller copy of the model in RUN: without its least important attention heads, or with fewer layers.

    RUN is the folder that wordworth finetune wrote; with --layers also an encoder: a name, a folder or a hub name.
    Nothing is trained. Removed heads make a model that is faster and that only Wordworth loads; with --as-zeros other
    libraries load it, no faster; a model with fewer layers is faster and loaded by every library.

    \b
    Examples:
      wordworth prune run/ --heads 0.4 --data dev.csv --out small/
      wordworth prune run/ --heads 0.4 --data dev.csv --as-zeros --out zeros/
      wordworth prune run/ --layers 4 --data dev.csv --onnx --out short/
      wordworth prune minilm --layers 3 --out minilm-3/
    """
    settings = chosen(choices)
    PruneSettings(**settings)  # refused before torch is imported
    from wordworth.inference.onnx_export import NAME as ONNX_FILE
    from wordworth.inference.prune import LOADED_BY, prune

    report = prune(run, out, progress=Bars(), **settings)
    left = f"{count_of(report.layers, 'layer')} and {count_of(report.heads, 'head')} left"
    say(f"{report.out}: {report.form}; {left}")
    say(f"{report.parameters:,} of {report.parameters_before:,} parameters of the encoder")
    if report.score is not None and report.score_before is not None:
        scores = f"{points(report.score)}, before {points(report.score_before)}"
        say(f"{report.metric}: {scores}, on rows that ranked no head")
    say(LOADED_BY[report.form])
    if settings.get("onnx"):
        say(f"{report.out / ONNX_FILE}: from token ids to scores, for onnxruntime, without Wordworth")
