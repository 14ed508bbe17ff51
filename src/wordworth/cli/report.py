"""`wordworth report`: draw the page of a record again."""

from __future__ import annotations

from pathlib import Path

import click

from wordworth.cli.main_process import say
from wordworth.files import require_distinct, write_text
from wordworth.records import record_file
from wordworth.reports import render_file


@click.command("report")
@click.argument("record", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The page to write. [default: report.html beside the record]",
)
def command(record: Path, out: Path | None) -> None:
    """Draw the page of a record again, without running the study. RECORD is the record.json, or its folder.

    \b
    Example:
      wordworth report run/record.json
    """
    record = record_file(record)
    target = out or record.with_name("report.html")
    require_distinct(target, record)
    write_text(target, render_file(record))
    say(target)
