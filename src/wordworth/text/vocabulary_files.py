"""Read a `vocab.txt`, with errors that say what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.json_file import read_text


def read_vocabulary(path: Path) -> dict[str, int]:
    """The pieces of a `vocab.txt`, one on each line; a piece's id is its line number from 0.

    Only line feeds end a line: a vocabulary may hold U+2028 and other separators as pieces.

    Raises:
        BadInput: the file is empty or not UTF-8, or two lines hold the same piece.
    """
    lines = read_text(path).removesuffix("\n").split("\n")
    if lines == [""]:
        raise BadInput("the vocabulary is empty", where=str(path), mend="a vocab.txt holds one piece on each line")
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
    """Whether a vocabulary was made from cased text: some piece, [UNK] and the like aside, has a capital.

    >>> has_capitals(["[UNK]", "[CLS]", "the", "##ing"]), has_capitals(["[UNK]", "The"])
    (False, True)
    """
    return any(piece != piece.lower() for piece in pieces if not (piece.startswith("[") and piece.endswith("]")))
