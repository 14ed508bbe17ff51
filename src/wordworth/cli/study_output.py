"""Functions that the commands of studies share: the option --out, and the verdict on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from wordworth.cli.main_process_output import say

if TYPE_CHECKING:
    from wordworth.records import Record

_Command = TypeVar("_Command", bound=Callable[..., Any])


def report_folder(default: str) -> Callable[[_Command], _Command]:
    """Return a decorator that adds the option --out to the command of a study, with the folder `default` as default."""
    return click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        default=Path(default),
        show_default=True,
        help="Folder for record.json and report.html.",
    )


report_option = report_folder("run")


def say_verdict(record: Record, out: Path | None, verdict: str = "") -> None:
    """Print a study's verdict, its warnings and the path of its page.

    Args:
        record: the study's record.
        out: folder of the page; None if no page was written.
        verdict: the text to print as the verdict; if empty, the record's own verdict is printed.
    """
    lines = [f"- {finding.text}" for finding in record.warnings]
    warnings = "\n".join(["", "Before you trust it:", *lines, ""]) if lines else ""
    page = "" if out is None else f"\n{out / 'report.html'}"
    say(f"\n{verdict or record.verdict}\n{warnings}{page}")
