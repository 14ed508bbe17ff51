"""`wordworth symbols encode`: turn features into codes by a codebook."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.inference.encode_with_codebook import EncodeSymbolsSettings
from wordworth.sentence_formatting import count_of


@click.command("encode", cls=Command)
@click.argument("codebook", type=click.Path(file_okay=False, path_type=Path))
@click.argument("features", type=click.Path(path_type=Path))
@settings_options(EncodeSymbolsSettings)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The .npy of codes; with --sequences the .csv, .jsonl or .parquet of the table with a column of them.",
)
def command(codebook: Path, features: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Turn features into codes by a codebook of `symbols learn`.

    With --sequences, OUT is the table of sequences with one more column, `codes`: a text in which each code is a word,
    for any command on texts. The column is named `codes_` if the table already has a column `codes`.

    \b
    Examples:
      wordworth symbols encode codes/ features.npy --out codes.npy
      wordworth symbols encode codes/ features.npy --sequences captions.csv --out clips.csv
      wordworth symbols encode codes/ features.npy --depth 2 --out codes.npy
    """
    from wordworth.inference.encode_with_codebook import encode_symbols

    codes = encode_symbols(codebook, features, out, progress=Bars(), **chosen(choices))
    say(f"{out}: {count_of(len(codes), 'code')}")
