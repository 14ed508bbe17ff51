"""word2vec's binary format: a header line, then each word, a space and its float32 numbers."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static.words import Words
from wordworth.models.static_embeddings import StaticTable

_FASTTEXT = (793712314).to_bytes(4, "little")
_LONGEST_WORD = 4096
_BYTES = 4


class ScatteredRows:
    """Vectors at known offsets of a memory-mapped file, copied only when indexed."""

    def __init__(self, path: Path, places: NDArray[np.int64], width: int) -> None:
        self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        self._places, self._width = places, width

    @property
    def shape(self) -> tuple[int, ...]:
        """[rows, width]."""
        return len(self._places), self._width

    def __getitem__(self, rows: Any, /) -> NDArray[np.float32]:  # noqa: ANN401 - as numpy's
        spans = self._places[rows][:, None] + np.arange(self._width * _BYTES)
        return np.ascontiguousarray(self._bytes[spans]).view("<f4")


def read_word2vec_binary(path: Path, name: str) -> StaticTable:
    """Read the table; the vectors stay on disk until used.

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
    """Read the words, and the offset of each one's vector."""
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
