"""`wordworth search build`: make an index of a file of texts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.retrieval.change_index import build_index
from wordworth.retrieval.settings import IndexSettings
from wordworth.sentence_formatting import count_of


@click.command("build")
@click.argument("texts", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@settings_options(IndexSettings)
def command(texts: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Make an index of a file of texts. If it is stopped, the same command resumes.

    TEXTS is a .jsonl, .csv, .tsv, .txt or .parquet file, also compressed (.gz, .xz, .bz2); all its columns are kept. If
    the model has prompts for documents and queries, the documents' prompt is put before each text here, and search ask
    puts the queries' prompt before a query.

    \b
    Examples:
      wordworth search build texts.jsonl --model minilm --out index/
      wordworth search build products.csv --text description --id sku --out index/ --precision int8
      wordworth search build texts.jsonl --vectors vectors.npy --out index/
    """
    report = build_index(texts, out, progress=Bars(), **chosen(choices))
    earlier = f", {report.resumed:,} of them embedded by an earlier run" if report.resumed else ""
    say(f"{report.out}: {count_of(report.rows, 'text')}, vectors of {report.width} numbers{earlier}")
    if report.prompts:
        query, document = report.prompts["query"], report.prompts["document"]
        say(f"texts are embedded behind the model's prompt {document!r}, queries behind {query!r}")
