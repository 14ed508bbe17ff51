"""Files as they should be: written beside their place and renamed, hashed, and cached by content."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path

from wordworth.durable_write import exchange, make_folder, sync, sync_tree
from wordworth.errors import BadInput

_DISK = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the disk is read-only",
}

_SHORT = re.compile(r"\d+ requested and \d+ written")
"""What numpy says of a disk that took only part of an array."""


@contextmanager
def atomic_write(path: Path | str) -> Iterator[Path]:
    """Yield a neighbour of `path` to write to; on success it takes `path`'s place, on failure it goes.

    A reader sees the old file or the whole new one, never a half, also after a loss of power.

    Raises:
        BadInput: the disk is full or the folder cannot be written.
    """
    target = Path(path)
    neighbour = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        make_folder(target.parent)
        yield neighbour
        sync(neighbour)
        neighbour.replace(target)
        sync(target.parent)
    except OSError as error:
        raise unwritable(error, target) from error
    finally:
        with suppress(OSError):
            neighbour.unlink()


@contextmanager
def replacing_folder(path: Path | str) -> Iterator[Path]:
    """Yield a new folder beside `path` to fill; on success it takes `path`'s place, on failure it goes.

    What stood there goes only once its successor stands and is on the disk. On Linux the two change places in one step;
    where a disk or system cannot do that, there is a moment without either, and whoever was killed in it is made good
    by the next who writes there.

    Raises:
        BadInput: a file stands at `path`, the disk is full or the place cannot be written.
    """
    target = Path(path)
    if target.exists() and not target.is_dir():
        raise BadInput("a file stands where the folder should go", where=str(target), mend="choose another folder")
    neighbour = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _bring_back(target)
        sweep_dead(target)
        shutil.rmtree(neighbour, ignore_errors=True)
        make_folder(target.parent)
        neighbour.mkdir()
        yield neighbour
        sync_tree(neighbour)
        _take_place(neighbour, target)
    except OSError as error:
        raise unwritable(error, target) from error
    finally:
        shutil.rmtree(neighbour, ignore_errors=True)


def _take_place(neighbour: Path, target: Path) -> None:
    """Let a folder stand at `target`; what stood there is at `neighbour` then, or gone."""
    if not target.exists():
        neighbour.rename(target)
    elif not exchange(neighbour, target):
        _step_aside(neighbour, target)
    sync(target.parent)


def _step_aside(neighbour: Path, target: Path) -> None:
    """Rename a folder to `target`; the older one there steps aside, and comes back if that fails."""
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    target.rename(old)
    try:
        neighbour.rename(target)
    except OSError:
        with suppress(OSError):
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _bring_back(target: Path) -> None:
    """Of a folder whose writer was killed as it stepped aside: rename it back, or remove it if its successor stands."""
    for old in target.parent.glob(f".{escape(target.name)}.*.old"):
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(target)


def sweep_neighbours(target: Path) -> None:
    """Remove what killed processes left half-made of one file by `atomic_write`. Nobody may write it meanwhile."""
    for torn in list(target.parent.glob(f".{escape(target.name)}.*.part")):
        torn.unlink(missing_ok=True)


def sweep_dead(target: Path) -> None:
    """Remove what killed processes left of one file or folder by `atomic_write` or `replacing_folder`.

    What a process of this machine writes at this moment stays.
    """
    for torn in list(target.parent.glob(f".{escape(target.name)}.*.part")):
        if not _lives(torn.name.split(".")[-2]):
            _remove(torn)


def _lives(process: str) -> bool:
    """Whether a process of this number may be at work; True where the system cannot say without touching it."""
    if os.name == "nt" or not process.isdecimal():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # another user's; no number of a process
        return True
    return True


def _remove(torn: Path) -> None:
    if torn.is_dir():
        shutil.rmtree(torn, ignore_errors=True)
    else:
        torn.unlink(missing_ok=True)


def remove_partial_files(folder: Path) -> None:
    """Remove what killed processes left half-made by `atomic_write` and `replacing_folder`, in a folder and below.

    Nobody may write there meanwhile.
    """
    for torn in list(folder.rglob(".*.part")):
        _remove(torn)


@contextmanager
def no_empty_folders(*folders: Path) -> Iterator[None]:
    """Where what is inside fails, those of these folders that it made and left empty go again, the last first."""
    made = [folder for folder in folders if not folder.exists()]
    try:
        yield
    except BaseException:
        for folder in reversed(made):
            with suppress(OSError):
                folder.rmdir()
        raise


def unwritable(error: OSError, target: Path) -> BadInput:
    """The user's words for an operating system error while writing `target`."""
    number = errno.ENOSPC if _SHORT.fullmatch(str(error)) else error.errno
    reason = _DISK.get(number or 0, error.strerror or str(error))
    full = number in {errno.ENOSPC, errno.EDQUOT}
    mend = "free some space or choose another --out" if full else "choose another --out, or mend its permissions"
    return BadInput(f"cannot write: {reason}", where=str(target), mend=mend)


def require_writable(folder: Path) -> None:
    """Find out before the work, not after it, that a folder cannot be written; nothing is made.

    Raises:
        BadInput: it is a file, or it or the nearest folder above it cannot be written.
    """
    try:
        place = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        if place.is_dir():
            with tempfile.TemporaryFile(dir=place):
                return
    except OSError as error:
        raise unwritable(error, folder) from error
    raise BadInput("this is a file, not a folder", where=str(place), mend="choose another --out")


def require_distinct(target: Path | str, *inputs: Path | str) -> None:
    """Find out before the work that what is to be written would take the place of what is read.

    Raises:
        BadInput: `target` is one of the inputs, by whatever path.
    """
    if any(Path(target).resolve() == Path(given).resolve() for given in inputs):
        raise BadInput("this is what is to be read", where=str(target), mend="give another --out")


def require_regular(path: Path | str) -> None:
    """Refuse a named pipe, a device or a socket before it is opened: reading one may never end.

    A path where nothing is, or a folder, is left to whoever opens it.

    Raises:
        BadInput: it is such a file.
    """
    target = Path(path)
    if target.exists() and not target.is_file() and not target.is_dir():
        raise BadInput("this is not a regular file", where=str(path), mend="save it as a file first")


def write_text(path: Path | str, text: str) -> None:
    r"""Write UTF-8 text whole or not at all.

    Names of files may hold bytes that are no UTF-8, which Python reads as lone surrogates: they are written as the
    escapes `\udc80` to `\udcff`, which JSON reads as the same again.
    """
    with atomic_write(path) as neighbour:
        neighbour.write_text(text, encoding="utf-8", errors="backslashreplace")


def sha256(path: Path | str) -> str:
    """The SHA-256 of a file's bytes, as 64 hexadecimal digits.

    Raises:
        BadInput: it is no regular file.
    """
    require_regular(path)
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def content_key(*parts: object) -> str:
    """One short key for anything with a stable `str`: same parts, same key."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode(errors="surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()[:32]


def cache_folder() -> Path:
    """Where computed vectors are kept: `$WORDWORTH_CACHE`, else the user's cache folder.

    Raises:
        BadInput: there is no such setting, and the user has no home.
    """
    given = os.environ.get("WORDWORTH_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else _home() / ".cache") / "wordworth"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:  # a container's user without an entry, and no HOME
        what = "this user has no home folder to keep computed vectors in"
        raise BadInput(what, mend="set WORDWORTH_CACHE to a folder that can be written") from error
