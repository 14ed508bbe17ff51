"""`wordworth export`: write a model as other programs read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import click

from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars
from wordworth.inference.export import Format


@click.command("export")
@click.argument("model")
@click.option("--to", type=click.Choice(get_args(Format)), required=True, help="The form to write.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder to write.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    help="With sentence-transformers: texts that set the ranges of int8 vectors; texts of our own if not given.",
)
@click.option("--text", default="text", show_default=True, help="Column of the texts in --data.")
def command(model: str, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Write MODEL, the folder of a fine-tuning or a sentence encoder, as other programs read it.

    onnx is a graph from token ids to scores, or to the vector of an encoder; int8 the same with weights of one byte;
    sentence-transformers a folder with the same vectors, and the ranges of int8 vectors; model2vec a static table.

    \b
    Examples:
      wordworth export small/ --to onnx --out graph/
      wordworth export run/ --to int8 --out graph8/
      wordworth export sbert/ --to sentence-transformers --data texts.csv --out shared/
      wordworth export minilm --to model2vec --out table/
    """
    from wordworth.inference.export import export

    folder = export(model, progress=Bars(), **choices)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    say(f"{folder}: {choices['to']}, {size / 1e6:.1f} MB")
