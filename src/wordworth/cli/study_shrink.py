"""`wordworth study shrink`: measure everything that makes a model smaller, on your own labels."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_folder, say_verdict
from wordworth.sources import require
from wordworth.studies.shrink.settings import ShrinkSettings
from wordworth.text.read_compressed_file import check_file


@click.command("shrink", cls=Command)
@click.argument("run")
@click.option(
    "--data", type=click.Path(path_type=Path), required=True, help="Labelled rows that the model did not learn from."
)
@settings_options(ShrinkSettings)
@report_folder("shrink")
def command(run: str, data: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Measure smaller versions of the model in RUN on your own labels, and name the smallest that is good enough.

    If RUN is the folder of a fine-tuning, the versions are bfloat16, int8, fewer layers, fewer heads, its static table,
    and students of distill. If RUN is a sentence encoder (a name or folder), they are bfloat16, int8, fewer layers, its
    static table, students of train-sentences, truncated vectors, int8 vectors and bit vectors.

    \b
    Examples:
      wordworth study shrink run/ --data dev.csv --out shrink/
      wordworth study shrink run/ --data dev.csv --also student/ --margin 0.5 --out shrink/
      wordworth study shrink minilm --data dev.csv --also student3/ --out shrink/
    """
    check_file(data)
    require(run)  # before torch is imported
    from wordworth.studies.shrink import shrink

    say_verdict(shrink(run, data, out=out, progress=Bars(), **chosen(choices)), out)
