"""`wordworth search add`: add texts to an index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars
from wordworth.retrieval.change_index import add_to_index
from wordworth.text_format import count_of


@click.command("add")
@click.argument("texts", type=click.Path(path_type=Path))
@click.option("--index", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@click.option(
    "--vectors", type=click.Path(path_type=Path), help="The .npy or .parquet of the texts' vectors by the same model."
)
@click.option("--threads", type=int, help="Number of threads; the vectors do not depend on it.")
def command(texts: Path, index: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Add texts to an index, by its own model. If it is stopped, the same command resumes.

    TEXTS is a file such as search build takes, with the same column of texts, and of ids if the index has one.

    \b
    Examples:
      wordworth search add more.jsonl --index index/
    """
    report = add_to_index(texts, index, progress=Bars(), **choices)
    say(f"{report.out}: {count_of(report.rows, 'text')} added, {report.total:,} in all")
