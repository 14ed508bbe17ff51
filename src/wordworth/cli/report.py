"""`wordworth report`: draw the page of a record again."""

from __future__ import annotations

from pathlib import Path

import click

from wordworth.cli.main_process_output import say
from wordworth.records import record_file
from wordworth.studies.report_folder import report


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
    target = out or record_file(record).with_name("report.html")
    report(record, out=target)
    say(target)
