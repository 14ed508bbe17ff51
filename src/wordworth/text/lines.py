"""The lines of a file of any size, compressed or not, one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.text.guess_encoding import to_utf8
from wordworth.text.raw_file import open_decompressed

_PIECE = 1 << 20
_LONGEST_LINE = 1 << 26


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file as (number from 1, text), decoded as UTF-8 without line ends and a leading byte order mark.

    Raises:
        BadInput: not UTF-8, or a line of more than 64 MiB, which would fill the memory.
    """
    with open_decompressed(path) as file:
        for number, line in enumerate(iter(lambda: file.readline(_LONGEST_LINE), b""), start=1):
            if len(line) == _LONGEST_LINE and not line.endswith(b"\n"):
                what, where = f"this line is longer than {_LONGEST_LINE:,} bytes", f"{path}, line {number}"
                raise BadInput(what, where=where, mend="is this text? put line breaks where its texts end")
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                what, where = f"not UTF-8: byte {error.start} of this line", f"{path}, line {number}"
                raise BadInput(what, where=where, mend=to_utf8(start_of(path))) from error
            yield number, text.rstrip("\r\n")


def start_of(path: Path) -> bytes:
    """The first MiB of a file, decompressed."""
    with open_decompressed(path) as file:
        return file.read(_PIECE)
