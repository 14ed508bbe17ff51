"""Read files, compressed or not: whole, with a SHA-256, or as a stream of lines. All readers use this module."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import IO, cast

from wordworth.download_catalogue import ENTRIES
from wordworth.errors import BadInput, nearest
from wordworth.files import require_regular, sha256, sha256_of_bytes
from wordworth.text.guess_encoding import to_utf8

_MOST_GROWTH = 200
_FREE_BYTES = 64 * 2**20
_MOST_BYTES = 4 * 2**30
_PIECE = 2**20
_LONGEST_LINE = 1 << 26
_SPREADSHEETS = {b"PK\x03\x04", b"\xd0\xcf\x11\xe0"}
"""The first bytes of spreadsheet files, new (ZIP archives) and old."""


def _zstd(raw: IO[bytes]) -> IO[bytes]:
    """Return a Zstandard stream, decoded by pyarrow."""
    import pyarrow as pa

    return cast("IO[bytes]", io.BufferedReader(pa.CompressedInputStream(raw, "zstd")))


Opener = Callable[[IO[bytes]], IO[bytes]]
_OPENERS: dict[str, Opener] = {
    ".gz": lambda raw: cast("IO[bytes]", gzip.GzipFile(fileobj=raw)),
    ".xz": lambda raw: cast("IO[bytes]", lzma.LZMAFile(raw)),  # noqa: SIM115 - the caller closes it
    ".zst": _zstd,
    ".bz2": lambda raw: cast("IO[bytes]", bz2.BZ2File(raw)),
}
COMPRESSIONS = tuple(_OPENERS)


def suffix_of(name: str) -> str:
    """Return the lower-case suffix of a file name, without a compression suffix: `.csv` for `Reviews.CSV.xz`."""
    inner = Path(name.lower())
    return (inner.with_suffix("") if inner.suffix in COMPRESSIONS else inner).suffix


@dataclass(frozen=True, slots=True)
class RawFile:
    """The content of a file that was read whole and decompressed.

    Attributes:
        path: the path as the user named it.
        suffix: the suffix of the file's format, without the suffix of a compression, such as `.csv`.
        sha256: hash of the bytes as stored, equal to what `sha256sum` prints.
        data: the bytes, decompressed.
    """

    path: str
    suffix: str
    sha256: str
    data: bytes

    def text(self) -> str:
        """Return the bytes of the file decoded as UTF-8, without a leading byte order mark.

        Raises:
            BadInput: the bytes are not UTF-8; the error names the line and the byte.
        """
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise _not_utf8(self, error) from error

    def characters(self) -> str:
        """Return the bytes of the file decoded as UTF-8, and refuse NUL bytes, which no table contains.

        Raises:
            BadInput: the bytes are not UTF-8, or hold a NUL byte; the error names the line.
        """
        text = self.text()
        if "\0" in text:
            line = text.count("\n", 0, text.index("\0")) + 1
            mend = "this is UTF-16 or no text file: export it again as UTF-8 CSV"
            raise BadInput("a NUL byte", where=f"{self.path}, line {line}", mend=mend)
        return text


_IN_MEMORY: dict[str, list[RawFile]] = {}
"""Name of each file that is only in memory -> its content, once for each `held_in_memory` that has not ended."""
_NAMING = Lock()


@contextmanager
def held_in_memory(raw: RawFile) -> Iterator[Path]:
    """Hold the content of a file in memory under its name, so that all readers find it; yield the name as a path.

    The name is valid inside the `with` statement; nothing is written to the disk. All threads of the process share the
    names. If a name is taken, by other content in memory or by a file on the disk, a part of the hash is appended to
    it.
    """
    with _NAMING:
        holders = _IN_MEMORY.get(raw.path)
        if holders[-1].sha256 != raw.sha256 if holders else Path(raw.path).exists():
            raw = replace(raw, path=f"{raw.path} ({raw.sha256[:8]})")
        _IN_MEMORY.setdefault(raw.path, []).append(raw)
    try:
        yield Path(raw.path)
    finally:
        with _NAMING:
            _IN_MEMORY[raw.path].pop()
            if not _IN_MEMORY[raw.path]:
                del _IN_MEMORY[raw.path]


def in_memory(path: Path | str) -> RawFile | None:
    """Return the content of a file that is held only in memory; None for any other path."""
    holders = _IN_MEMORY.get(str(path))
    return holders[-1] if holders else None


def is_file(path: Path | str) -> bool:
    """Return whether there is a file of this name, on the disk or only in memory."""
    return in_memory(path) is not None or Path(path).is_file()


def size_of(path: Path) -> int:
    """Return the size of a file in bytes, or the size of its content if it is held only in memory."""
    held = in_memory(path)
    return path.stat().st_size if held is None else len(held.data)


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file, on the disk or only in memory, as 64 hexadecimal digits."""
    held = in_memory(path)
    return sha256(path) if held is None else held.sha256


def require_unchanged(path: Path, before: str) -> None:
    """Check that a file has the SHA-256 that it had before it was read.

    Args:
        path: the file, on the disk or only in memory.
        before: its SHA-256 before, as `file_sha256` returned it.

    Raises:
        BadInput: another program has changed the file.
    """
    if file_sha256(path) != before:
        raise BadInput("the file changed while it was read", where=str(path), mend="run again when it is whole")


def read_raw(path: Path | str) -> RawFile:
    """Read a file whole and decompress it by its suffix (`.gz`, `.xz`, `.zst`, `.bz2`).

    The decompressed data may have up to 64 MiB or 200 times the size of the file, whichever is more, but never over
    4 GiB.

    Raises:
        BadInput: there is no such file, it is a folder, cannot be read, is damaged, is empty or exceeds these limits.
    """
    if held := in_memory(path):
        return held
    file_path = Path(path)
    raw = _bytes(file_path)
    compression = file_path.suffix.lower()
    data = _decompress(raw, compression, str(path)) if compression in _OPENERS else raw
    if not data.removeprefix(codecs.BOM_UTF8).strip():
        raise BadInput("the file is empty", where=str(path), mend="give a file with rows")
    return RawFile(str(path), suffix_of(file_path.name), sha256_of_bytes(raw), data)


@contextmanager
def open_decompressed(path: Path) -> Iterator[IO[bytes]]:
    """Yield the bytes of a file as a stream, decompressed by its suffix, so that the file may have any size.

    Raises:
        BadInput: the file cannot be read or its archive is damaged, at once or while it is read.
    """
    compression = path.suffix.lower()
    require_regular(path)
    try:
        with path.open("rb") as raw:
            if compression not in _OPENERS:
                yield raw
                return
            with _OPENERS[compression](raw) as archive:
                yield archive
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise BadInput(f"cannot read: {error}", where=str(path), mend="fetch or save it again") from error


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, text) of each line of a file of any size, without line ends and byte order mark.

    Raises:
        BadInput: the file is not UTF-8, or has a line of 64 MiB or more, which would fill the memory.
    """
    return ((number, line.rstrip("\r")) for number, line in lines_with_carriage_returns(path))


def lines_with_carriage_returns(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of each line as `lines` does, but keep a carriage return at the end of a line.

    Raises:
        BadInput: as in `lines`.
    """
    number, rest = 1, list[bytes]()
    with open_decompressed(path) as file:
        while block := file.read(_PIECE):
            whole, newline, tail = block.rpartition(b"\n")
            if newline:
                for line in _decoded(b"".join((*rest, whole)), number, path):
                    yield number, line
                    number += 1
                rest = []
            rest.append(tail)
            if sum(map(len, rest)) >= _LONGEST_LINE:
                raise _too_long(path, number)
    if any(rest):
        for line in _decoded(b"".join(rest), number, path):
            yield number, line


def _decoded(data: bytes, first: int, path: Path) -> list[str]:
    """Return bytes of whole lines as text, line by line; `first` is the number of the first line."""
    if len(data) >= _LONGEST_LINE:
        lengths = list(map(len, data.split(b"\n")))
        if max(lengths) >= _LONGEST_LINE:
            raise _too_long(path, first + lengths.index(max(lengths)))
    data = data.removeprefix(codecs.BOM_UTF8) if first == 1 else data
    try:
        return data.decode().split("\n")
    except UnicodeDecodeError as error:
        position = error.start - data.rfind(b"\n", 0, error.start) - 1
        number = first + data.count(b"\n", 0, error.start)
        with open_decompressed(path) as file:
            start = file.read(_PIECE)
        raise BadInput(
            f"not UTF-8: byte {position} of this line", where=f"{path}, line {number}", mend=to_utf8(start)
        ) from error


def _too_long(path: Path, number: int) -> BadInput:
    what = f"this line is longer than {_LONGEST_LINE:,} bytes"
    return BadInput(what, where=f"{path}, line {number}", mend="is this text? put line breaks where its texts end")


def check_file(path: Path) -> None:
    """Check that a path names a file that can be read.

    Raises:
        BadInput: no file has this name (the error suggests a similar one), it is a folder, or not a regular file.
    """
    if in_memory(path):
        return
    if path.is_dir():
        files = sorted(entry.name for entry in path.iterdir() if entry.is_file())
        mend = f"name a file in it, such as {path / files[0]}" if files else "name a file"
        raise BadInput("this is a folder, not a file", where=str(path), mend=mend)
    if str(path) == "-":
        raise BadInput("standard input is not read", where="-", mend="save it as a file, and name that")
    if not path.suffix and " " in path.name and not path.exists():
        mend = "check the path; or, if it is a text, put it in a list: [text]"
        raise BadInput("there is no such file", where=str(path), mend=mend)
    if not path.exists() and str(path) in {entry.name for entry in ENTRIES if entry.kind != "data"}:
        mend = "name it as the model, and give a file or a table of texts here"
        raise BadInput("this is the name of a model, and there is no such file", where=str(path), mend=mend)
    if not path.exists():
        raise BadInput("there is no such file", where=str(path), mend=_similar_file_hint(path))
    require_regular(path)


def _bytes(path: Path) -> bytes:
    check_file(path)
    with _readable(path):
        return path.read_bytes()


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        mend = "check the file's permissions"
        raise BadInput(f"cannot read: {error.strerror}", where=str(path), mend=mend) from error


def check_rows_file(path: Path) -> None:
    """Check that a path names a file that can be read row by row, and that it is not a spreadsheet.

    Raises:
        BadInput: no file has this name, it is a folder or not a regular file, it cannot be read, or it is a
            spreadsheet.
    """
    check_file(path)
    if in_memory(path):
        return
    with _readable(path), path.open("rb") as file:
        check_no_spreadsheet(str(path), file.read(4))


def check_no_spreadsheet(path: str, start: bytes) -> None:
    """Check by its first bytes that a file is not a spreadsheet, whatever its suffix.

    Args:
        path: the path of the file, for the error.
        start: the first bytes of the file.

    Raises:
        BadInput: the file is a spreadsheet; the error says how to save it as text.
    """
    named = Path(path).suffix.lower() in {".xlsx", ".xls", ".xlsm", ".ods", ".numbers"}
    if named or start in _SPREADSHEETS:
        mend = "in Excel: File, Save As, CSV UTF-8 (elsewhere: export as CSV)"
        raise BadInput("this is a spreadsheet, not a text file", where=path, mend=mend)


def _similar_file_hint(path: Path) -> str:
    """Return a hint for a missing file: the most similar file name in its folder."""
    folder = path.parent
    names = sorted(entry.name for entry in folder.iterdir() if entry.is_file()) if folder.is_dir() else []
    suffix = suffix_of(path.name)
    alike = [name for name in names if suffix_of(name) == suffix]
    if not alike and names:
        return f"there is no {suffix} file in {folder}" if suffix else "check the path"
    return nearest(path.name, alike) if alike else f"there is no file in {folder}"


def _decompress(raw: bytes, compression: str, path: str) -> bytes:
    allowed = min(_MOST_BYTES, max(_FREE_BYTES, _MOST_GROWTH * len(raw)))
    whole = io.BytesIO()
    try:
        with _OPENERS[compression](io.BytesIO(raw)) as archive:
            while piece := archive.read(_PIECE):
                whole.write(piece)
                if whole.tell() > allowed:
                    raise BadInput(
                        f"{len(raw):,} bytes unpack to more than {allowed:,}: this looks like an archive bomb",
                        where=path,
                        mend="unpack it yourself if you trust it, and give the unpacked file",
                    )
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise BadInput(
            f"this {compression} archive is damaged: {error}", where=path, mend="fetch or pack it again"
        ) from error
    return whole.getvalue()


def _not_utf8(raw: RawFile, error: UnicodeDecodeError) -> BadInput:
    start = error.start + len(codecs.BOM_UTF8) * raw.data.startswith(codecs.BOM_UTF8)
    what = f"not UTF-8: byte {start} of the file is 0x{raw.data[start]:02x}"
    if raw.data[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        what = "this is UTF-16, not UTF-8: byte 0"
    line = raw.data.count(b"\n", 0, start) + 1
    return BadInput(what, where=f"{raw.path}, line {line}", mend=to_utf8(raw.data))
