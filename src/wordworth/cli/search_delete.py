"""`wordworth search delete`: delete rows of an index."""

from __future__ import annotations

from pathlib import Path

import click

from wordworth.cli.main_process_output import say
from wordworth.retrieval.change_index import delete_from_index
from wordworth.sentence_formatting import count_of


@click.command("delete")
@click.option("--index", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@click.option("--where", required=True, help="Condition on columns that the rows to delete pass.")
def command(index: Path, where: str) -> None:
    """Delete the rows of an index that pass a condition.

    \b
    Examples:
      wordworth search delete --index index/ --where "id = '7'"
      wordworth search delete --index index/ --where "lang = 'en' AND year < 2020"
    """
    report = delete_from_index(index, where=where)
    say(f"{report.out}: {count_of(report.rows, 'text')} deleted, {report.total:,} left")
