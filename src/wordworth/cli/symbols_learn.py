"""`wordworth symbols learn`: learn a codebook of features by hierarchical k-means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import say_verdict
from wordworth.text.read_compressed_file import check_file
from wordworth.training.codebook.settings import CodebookSettings


@click.command("learn", cls=Command)
@click.argument("features", type=click.Path(path_type=Path))
@settings_options(CodebookSettings)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="Folder for the codebook, codes.npy, record.json and report.html.",
)
def command(features: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Learn a codebook of features by hierarchical k-means. If it is stopped, the same command resumes.

    FEATURES is an .npy of floating-point numbers, a row for each clip or frame. A row's code is a number in base k: a
    digit for the nearest centroid at each level.

    \b
    Examples:
      wordworth symbols learn features.npy --out codes/
      wordworth symbols learn features.npy --k 12 --depth 4 --out codes/
    """
    check_file(features)  # before torch is imported
    from wordworth.studies.codebook import learn_symbols

    say_verdict(learn_symbols(features, out, progress=Bars(), **chosen(choices)), out)
