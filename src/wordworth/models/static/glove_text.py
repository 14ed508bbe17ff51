"""Vectors as text, one word with its numbers per line: GloVe, and `.vec` of word2vec and fastText with a header."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static.words import Words
from wordworth.models.static_embeddings import StaticTable

_LINES_AT_ONCE = 20_000
_HEADER_FIELDS = 2


def read_text_vectors(path: Path, name: str) -> StaticTable:
    """Read the table of a text file; a first line of two integers is taken as word2vec's header, and checked.

    Raises:
        BadInput: the file is not UTF-8, a line has too few or too many numbers, a field is not a number, a number is
            NaN, or the number of lines is not the header's.
    """
    words: list[str] = []
    blocks: list[NDArray[np.float32]] = []
    reader = _Lines(path)
    for block_words, block in reader:
        words += block_words
        blocks.append(block)
    if not words:
        raise BadInput("no vectors in this file", where=str(path))
    if reader.promised is not None and reader.promised != len(words):
        raise BadInput(
            f"the header promises {reader.promised} vectors, the file holds {len(words)}",
            where=str(path),
            mend="the file is truncated or its header wrong; fetch it again",
        )
    rows: dict[str, int] = {}
    for row, word in enumerate(words):
        rows.setdefault(word, row)  # of equal words the first is the most frequent
    size = path.stat().st_size
    return StaticTable(name, np.concatenate(blocks), Words(rows), by_frequency=True, disk_bytes=size)


class _Lines:
    """Iterates over blocks of parsed lines."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.promised: int | None = None
        self._width = 0

    def __iter__(self) -> Iterator[tuple[list[str], NDArray[np.float32]]]:
        block: list[tuple[int, str]] = []
        try:
            with self.path.open(encoding="utf-8", newline="\n") as file:
                for number, line in enumerate(file, start=1):
                    text = line.rstrip(" \r\n")
                    if text and not (number == 1 and self._header(text)):
                        block.append((number, text))
                    if len(block) == _LINES_AT_ONCE:
                        yield self._parsed(block)
                        block = []
        except UnicodeDecodeError as error:
            raise BadInput(f"not UTF-8 text: {error.reason}", where=str(self.path)) from error
        if block:
            yield self._parsed(block)

    def _header(self, line: str) -> bool:
        fields = line.split()
        if len(fields) != _HEADER_FIELDS or not all(field.isascii() and field.isdigit() for field in fields):
            return False
        self.promised, self._width = int(fields[0]), int(fields[1])
        return True

    def _parsed(self, block: list[tuple[int, str]]) -> tuple[list[str], NDArray[np.float32]]:
        self._width = self._width or len(block[0][1].split(" ")) - 1
        if not self._width:
            raise self._bad(block[0][0], "a word without numbers")
        words, numbers = [], []
        for number, line in block:
            fields = line.rsplit(" ", self._width)  # from the right, since some words contain spaces (". . .")
            if len(fields) != self._width + 1:
                raise self._bad(number, f"{len(fields) - 1} numbers instead of {self._width}")
            words.append(fields[0])
            numbers.append(fields[1:])
        return words, self._numbers(block, numbers)

    def _numbers(self, block: list[tuple[int, str]], fields: list[list[str]]) -> NDArray[np.float32]:
        try:
            with np.errstate(over="ignore"):  # infinity is reported below, with its line
                values = np.array(fields, dtype=np.float32)
        except ValueError:
            values = np.stack([self._row(number, row) for (number, _), row in zip(block, fields, strict=True)])
        wrong = np.flatnonzero(~np.isfinite(values).all(axis=1))
        if len(wrong):
            raise self._bad(block[wrong[0]][0], "this vector holds NaN or infinity")
        return values

    def _row(self, number: int, fields: list[str]) -> NDArray[np.float32]:
        try:
            return np.array(fields, dtype=np.float32)
        except ValueError as error:
            raise self._bad(number, f"not a number: {error}") from error

    def _bad(self, number: int, what: str) -> BadInput:
        return BadInput(what, where=f"{self.path}, line {number}", mend="each line is a word and its numbers")
