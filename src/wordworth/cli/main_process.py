"""Terminal output: by one of several processes only, and without control characters from users' data."""

from __future__ import annotations

import io
import os
import re
import sys

import click

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters other than tab and line feed, and the marks that change the direction of text."""


def speaks() -> bool:
    """True for rank 0 of the processes that torchrun started, or for the only process."""
    return os.environ.get("RANK", "0") == "0"


def harmless(text: str) -> str:
    """The text with control characters, which a terminal would obey, written as escapes.

    >>> harmless("\\x1b[31mred")
    '\\\\x1b[31mred'
    """
    return _CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def say(message: object, *, err: bool = False) -> None:
    """Write a line to standard output, or to standard error."""
    click.echo(harmless(str(message)), err=err)


def notice(message: str) -> None:
    """Write a line of advice to standard error, in the main process only."""
    if speaks():
        say(f"wordworth: {message}", err=True)


def spell_out() -> None:
    """Let standard output write `\\\\u2026` for a character that its encoding lacks, as standard error does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
