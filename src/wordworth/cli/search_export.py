"""`wordworth search export`: write an index into a database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.retrieval.export_index import ExportIndexSettings, export_index
from wordworth.sentence_formatting import count_of


@click.command("export")
@click.option("--index", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@click.option("--out", required=True, help="The .sqlite to write, or the URL of a PostgreSQL database with pgvector.")
@settings_options(ExportIndexSettings)
def command(index: Path, out: str, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Write the texts of an index, their columns and vectors into a table of SQLite or PostgreSQL.

    \b
    Examples:
      wordworth search export --index index/ --out texts.sqlite
      wordworth search export --index index/ --out postgresql://user@localhost/name --table reviews
    """
    rows = export_index(index, out, progress=Bars(), **chosen(choices))
    say(f"{index}: {count_of(rows, 'text')} written")
