"""`wordworth search add`: add texts to an index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.retrieval.change_index import add_to_index
from wordworth.retrieval.settings import AddSettings
from wordworth.sentence_formatting import count_of


@click.command("add")
@click.argument("texts", type=click.Path(path_type=Path))
@click.option("--index", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@settings_options(AddSettings)
def command(texts: Path, index: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Add texts to an index, embedded by the index's own model. If it is stopped, the same command resumes.

    TEXTS is a file such as search build takes, with the same column of texts, and of ids if the index has one.

    \b
    Examples:
      wordworth search add more.jsonl --index index/
    """
    report = add_to_index(texts, index, progress=Bars(), **chosen(choices))
    say(f"{report.out}: {count_of(report.rows, 'text')} added, {report.total:,} in all")
