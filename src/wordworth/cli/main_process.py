"""What reaches the terminal: of several processes the one that speaks, and no control character of a user's data."""

from __future__ import annotations

import io
import os
import re
import sys

import click

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""All but tab and line feed; and the marks that turn the direction of what follows."""


def speaks() -> bool:
    """Whether this is the first of the processes that torchrun started, or the only one."""
    return os.environ.get("RANK", "0") == "0"


def harmless(text: str) -> str:
    """A text in which control characters, which a terminal would obey, are written out.

    >>> harmless("\\x1b[31mred")
    '\\\\x1b[31mred'
    """
    return _CONTROLS.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def say(message: object, *, err: bool = False) -> None:
    """Write a line to standard output, or to standard error."""
    click.echo(harmless(str(message)), err=err)


def spell_out() -> None:
    """Let standard output write `\\\\u2026` for a character that its encoding lacks, as standard error does."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
