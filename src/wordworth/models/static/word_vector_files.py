"""Files of word vectors: text, one word with its numbers per line (GloVe, `.vec`), and word2vec's binary form.

The `.vec` of word2vec and fastText begins with a header.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static.lookup import Words
from wordworth.models.static_embeddings import StaticTable

_LINES_AT_ONCE = 20_000
_HEADER_FIELDS = 2


def read_text_vectors(path: Path, name: str) -> StaticTable:
    """Read a text file of word vectors; a first line of two integers counts as word2vec's header, and is checked.

    Args:
        path: the file, with a word and its numbers on each line.
        name: the name of the table.

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
    """An iterable over blocks of parsed lines, each (words, float32 [words, width])."""

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


_FASTTEXT = (793712314).to_bytes(4, "little")
_LONGEST_WORD = 4096
_BYTES = 4


class ScatteredRows:
    """Vectors at known offsets of a memory-mapped file, copied only when indexed."""

    def __init__(self, path: Path, offsets: NDArray[np.int64], width: int) -> None:
        self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        self._offsets, self._width = offsets, width

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of vectors, and width of a vector."""
        return len(self._offsets), self._width

    def __getitem__(self, rows: Any, /) -> NDArray[np.float32]:  # noqa: ANN401 - as numpy's
        spans = self._offsets[rows][:, None] + np.arange(self._width * _BYTES)
        return np.ascontiguousarray(self._bytes[spans]).view("<f4")


def read_word2vec_binary(path: Path, name: str) -> StaticTable:
    """Read a binary file of word2vec; the vectors stay on disk until they are used.

    Args:
        path: the file.
        name: the name of the table.

    Raises:
        BadInput: the header is wrong, or the file has fewer or more bytes than the header promises.
    """
    with path.open("rb") as file:
        header = file.readline(_LONGEST_WORD)
    count, width = _header(header, path)
    words, offsets = _scan(path, len(header), count, width)
    rows: dict[str, int] = {}
    for row, word in enumerate(words):
        rows.setdefault(word, row)
    vectors = ScatteredRows(path, np.array(offsets, dtype=np.int64), width)
    return StaticTable(name, vectors, Words(rows), by_frequency=True, disk_bytes=path.stat().st_size)


def _header(line: bytes, path: Path) -> tuple[int, int]:
    if line.startswith(_FASTTEXT):
        raise BadInput(
            "this is fastText's own binary format, not word2vec's", where=str(path), mend="give its .vec file"
        )
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() for field in fields) or b"0" in fields:  # noqa: PLR2004 - count, width
        raise BadInput("no word2vec header (number of vectors, width)", where=str(path), mend="is it this format?")
    return int(fields[0]), int(fields[1])


def _scan(path: Path, start: int, count: int, width: int) -> tuple[list[str], list[int]]:
    """Read the words of the file, and the offset in bytes of each word's vector.

    Args:
        path: the file.
        start: offset of the first word.
        count: number of words.
        width: width of a vector.
    """
    words, offsets, size = [], [], width * _BYTES
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        position = start
        for number in range(count):
            space = data.find(b" ", position, position + _LONGEST_WORD)
            if space < 0 or space + 1 + size > len(data):
                raise BadInput(
                    f"the header promises {count} vectors of {width}, the file ends in vector {number + 1}",
                    where=str(path),
                    mend="the file is truncated or its header wrong; fetch it again",
                )
            words.append(data[position:space].lstrip(b"\n").decode("utf-8", errors="replace"))
            offsets.append(space + 1)
            position = space + 1 + size
        if len(data) - position > 1:  # one newline may close the file
            raise BadInput(
                f"{len(data) - position} bytes follow the {count} vectors that the header promises",
                where=str(path),
                mend="the header is wrong; fetch the file again",
            )
    return words, offsets
