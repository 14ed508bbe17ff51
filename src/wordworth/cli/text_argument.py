"""`text_of`: read a text argument of the command line, which may be the text itself or the name of its file."""

from __future__ import annotations

from pathlib import Path

from wordworth.errors import BadInput
from wordworth.text.read_compressed_file import is_file, read_raw

_SUFFIXES = frozenset({".txt", ".text", ".md", ".csv", ".tsv", ".json", ".jsonl", ".html", ".gz", ".pdf", ".docx"})
"""Suffixes by which a single word is read as the name of a file."""


def text_of(argument: str) -> str:
    """Return the content of the file with this name if it exists, else the argument itself.

    Raises:
        BadInput: the argument is the name of a folder, or a single word with the suffix of a file that does not exist.
    """
    path = Path(argument)
    try:
        is_there, is_folder = is_file(path), path.is_dir()
    except OSError:  # no file has so long a name
        return argument
    if is_there:
        return read_raw(path).text()
    if len(argument.split()) == 1:
        if is_folder:
            raise BadInput("this is a folder, not a text", where=argument, mend="give a text, or a file that holds one")
        if path.suffix.lower() in _SUFFIXES:
            mend = "check the name; a single word with such an ending is read as the name of a file, not as a text"
            raise BadInput("there is no such file", where=argument, mend=mend)
    return argument
