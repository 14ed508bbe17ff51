"""The texts on a command line: written there, or in a file."""

from __future__ import annotations

from pathlib import Path

from wordworth.text.raw_file import is_file, read_raw


def text_of(argument: str) -> str:
    """Return the content of a file of this name, if there is one; else the argument itself."""
    path = Path(argument)
    return read_raw(path).text() if is_file(path) else argument
