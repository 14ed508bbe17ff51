"""`wordworth embed`: texts of any number become vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars
from wordworth.text_format import count_of, percent

_TOLD = 0.05
"""The share of unknown words from which the user is told."""


@click.command("embed")
@click.argument("texts", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A .parquet or .npy.")
@click.option("--model", default="minilm", show_default=True, help="A name, a folder or a hub name.")
@click.option("--text", default="text", show_default=True, help="Column of the texts; a .txt has a text a line.")
@click.option("--id", help="Column that names each row in --out; the row's number from 0 if not given.")
@click.option(
    "--dtype",
    type=click.Choice(["auto", "float32", "bfloat16", "int8"]),
    default="auto",
    show_default=True,
    help="What the model computes in. auto is bfloat16 where the CPU has it.",
)
@click.option(
    "--long-texts",
    type=click.Choice(["window", "cut", "error"]),
    default="window",
    show_default=True,
    help="What becomes of texts longer than the model reads at once; cut is what sentence-transformers does.",
)
@click.option("--threads", type=click.IntRange(min=1), help="How many threads; the bytes stay the same.")
def command(texts: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Turn a file of texts of any size into vectors. Stopped at any point, the same command goes on from there.

    TEXTS is a .jsonl, .csv, .tsv, .txt or .parquet file, also packed (.gz, .xz, .bz2).

    \b
    Examples:
      wordworth embed texts.jsonl --model minilm --out vectors.parquet
      wordworth embed products.csv --text description --id sku --out vectors.parquet --dtype int8
      wordworth embed lines.txt --model glove --out vectors.npy
      wordworth embed posts.csv --long-texts cut --out vectors.npy
    """
    from wordworth.inference.bulk_embedding import EmbedSettings, embed

    report = embed(texts, out, EmbedSettings(**choices), progress=Bars())
    earlier = f", {report.resumed:,} of them from an earlier run" if report.resumed else ""
    why = "their texts are empty, or no word of theirs is known"
    blank = f"; {report.blank:,} of them are zeros: {why}" if report.blank else ""
    computed = f", computed in {report.dtype}" if report.dtype != "float32" else ""
    say(f"{report.out}: {report.rows:,} vectors of {report.width} numbers{computed}{earlier}{blank}")
    if report.empty and not report.blank:
        say(f"{count_of(report.empty, 'text is', 'texts are')} empty and got the vector of an empty text")
    if report.unread >= _TOLD:
        share = percent(report.unread)
        say(f"{choices['model']} does not know {share} of what these texts are made of: was it made for them?")
