"""`wordworth embed`: turn a file of texts of any size into vectors."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.inference.embed import embed
from wordworth.inference.embed_settings import EmbedSettings
from wordworth.sentence_formatting import count_of, percent

_MOST_UNKNOWN = 0.05
"""Share of unknown words, from 0 to 1, above which the user is warned."""


@click.command("embed")
@click.argument("texts", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The .parquet, .npy, .jsonl or .csv to write; a folder for a pattern.",
)
@settings_options(EmbedSettings)
def command(texts: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Turn a file of texts of any size into vectors. If it is stopped, the same command resumes.

    TEXTS is a .jsonl, .csv, .tsv, .txt or .parquet file, also compressed (.gz, .xz, .bz2). It may be
    a pattern of such files in quotes: the vectors of each file then go to a .parquet in the folder --out.

    \b
    Examples:
      wordworth embed texts.jsonl --model minilm --out vectors.parquet
      wordworth embed products.csv --text description --id sku --out vectors.parquet --dtype int8
      wordworth embed lines.txt --model glove --out vectors.npy
      wordworth embed texts.parquet --engine ray --threads 4 --out vectors.parquet
      wordworth embed 'texts/*.parquet' --engine ray --out vectors/
      wordworth embed posts.csv --long-texts cut --out vectors.npy
      wordworth embed questions.txt --model e5/ --prompt query --out vectors.npy
    """
    settings = EmbedSettings(**chosen(choices))
    report = embed(texts, out, progress=Bars(), **asdict(settings))
    earlier = f", {report.resumed:,} of them from an earlier run" if report.resumed else ""
    computed = f", computed in {report.dtype}" if report.dtype != "float32" else ""
    say(f"{report.out}: {count_of(report.rows, 'vector')} of {report.width} numbers{computed}{earlier}")
    if report.empty_texts and not report.zero_vectors:
        say(f"{count_of(report.empty_texts, 'text is', 'texts are')} empty and got the vector of an empty text")
    if report.unread >= _MOST_UNKNOWN:
        share = percent(report.unread)
        say(f"{share} of the words of these texts are unknown to {settings.model}: is it made for their language?")
