"""Terminal output by the main process alone, without control characters from users' data."""

from __future__ import annotations

import io
import os
import re
import sys

import click

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters other than tab and line feed, and the marks that change the direction of text."""


def is_main_process() -> bool:
    """Return True in a single process, and in rank 0 of several processes that torchrun started."""
    return os.environ.get("RANK", "0") == "0"


def escape_controls(text: str) -> str:
    """Return a text with its control characters, which a terminal would obey, replaced by escapes.

    >>> escape_controls("\\x1b[31mred")
    '\\\\x1b[31mred'
    """
    return _CONTROLS.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)


def say(message: object, *, err: bool = False) -> None:
    """Write a line to standard output or standard error, with control characters escaped.

    Args:
        message: the line, or an object whose text is written.
        err: whether to write to standard error.
    """
    click.echo(escape_controls(str(message)), err=err)


def say_json(text: str) -> None:
    """Write a JSON text to standard output, with control characters as JSON escapes, so that it stays valid JSON.

    Args:
        text: the JSON text.
    """
    click.echo(_CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def notice(message: str) -> None:
    """Write a line of advice to standard error, in the main process only."""
    if is_main_process():
        say(f"wordworth: {message}", err=True)


def escape_unencodable() -> None:
    """Make standard output write an escape such as `\\u2026` for a character that its encoding lacks."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
