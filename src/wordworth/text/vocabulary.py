"""The files of a tokenizer as plain data, and what is wrong with them in a user's words."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.files import require_regular

_FOREIGN = {
    b"\x80": "a pickle",
    b"PK\x03\x04": "a zip archive",
    b"\x1f\x8b": "a gzip file",
    b"version https://git-lfs": "a Git LFS pointer, the file itself was never fetched",
}


def read_text(path: Path) -> str:
    """The UTF-8 text of a file.

    Raises:
        BadInput: it is missing, no regular file, or holds something else than text; names the line and byte.
    """
    require_regular(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"cannot read: {reason}", where=str(path), mend="check the path") from error
    for start, what in _FOREIGN.items():
        if data.startswith(start):
            raise BadInput(f"this is {what}, not text", where=str(path), mend="fetch the checkpoint again")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"line {line} is not UTF-8 (byte 0x{data[error.start]:02x} at position {error.start})"
        raise BadInput(what, where=str(path), mend="save the file as UTF-8 or fetch it again") from error


def read_object(path: Path) -> dict[str, Any]:
    """A JSON file that holds one object.

    Raises:
        BadInput: it is missing, not text, not JSON, or not an object.
    """
    text = read_text(path)
    try:
        value = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise BadInput(f"not JSON: {error}", where=str(path), mend=FETCH_AGAIN) from error
    if not isinstance(value, dict):
        raise BadInput(f"holds a JSON {type(value).__name__}, not an object", where=str(path))
    return value


def read_vocabulary(path: Path) -> dict[str, int]:
    """The pieces of a `vocab.txt`, one a line; a piece's id is its line number from 0.

    Only line feeds end a line: a vocabulary may hold U+2028 and other separators as pieces.

    Raises:
        BadInput: the file is empty or not UTF-8, or two lines hold the same piece.
    """
    lines = read_text(path).removesuffix("\n").split("\n")
    if lines == [""]:
        raise BadInput("the vocabulary is empty", where=str(path), mend="a vocab.txt holds one piece a line")
    vocabulary: dict[str, int] = {}
    for number, line in enumerate(lines):
        piece = line.rstrip("\r")
        if piece in vocabulary:
            what = f"lines {vocabulary[piece] + 1} and {number + 1} hold the same piece {piece!r}"
            raise BadInput(
                what,
                where=str(path),
                mend=f"every piece needs an id of its own; {FETCH_AGAIN}",
            )
        vocabulary[piece] = number
    return vocabulary


def has_capitals(pieces: Iterable[str]) -> bool:
    """Whether a vocabulary was made from cased text: a piece, marks in brackets aside, has an upper-case letter.

    >>> has_capitals(["[UNK]", "[CLS]", "the", "##ing"]), has_capitals(["[UNK]", "The"])
    (False, True)
    """
    return any(piece != piece.lower() for piece in pieces if not (piece.startswith("[") and piece.endswith("]")))
