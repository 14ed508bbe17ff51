"""`wordworth export`: write a model as other programs read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.inference.export.settings import ExportSettings
from wordworth.sources import require


@click.command("export")
@click.argument("model")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="With sentence-transformers: texts that set the ranges of int8 vectors; texts of our own if not given.",
)
@settings_options(ExportSettings)
def command(model: str, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Write MODEL, the folder of a fine-tuning or a sentence encoder, in a format that other programs read.

    The formats of --to: onnx is a graph from token ids to the scores of a fine-tuned model or the vector of an encoder;
    int8 is that graph with weights of one byte; sentence-transformers is a folder that gives the same vectors, with
    ranges for int8 vectors; model2vec is a static table.

    \b
    Examples:
      wordworth export small/ --to onnx --out graph/
      wordworth export run/ --to int8 --out graph8/
      wordworth export sbert/ --to sentence-transformers --data texts.csv --out shared/
      wordworth export minilm --to model2vec --out table/
    """
    require(model)  # before torch is imported
    from wordworth.inference.export import export

    folder = export(model, progress=Bars(), **chosen(choices))
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    say(f"{folder}: {choices['to']}, {size / 1e6:.1f} MB")
