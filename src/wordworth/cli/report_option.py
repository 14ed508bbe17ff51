"""`report_option`: the --out option that the studies share."""

from __future__ import annotations

from pathlib import Path

import click

report_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("run"),
    show_default=True,
    help="Folder for record.json and report.html.",
)
