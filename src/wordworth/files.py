"""Safe files: atomic writes of files and folders, checks of paths before work starts, hashes and the cache folder."""

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

from wordworth.errors import BadInput
from wordworth.sync_to_disk import exchange, make_folder, sync, sync_tree

_DISK_ERRORS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the disk is read-only",
}

_SHORT_WRITE = re.compile(r"\d+ requested and \d+ written")
"""numpy's message if the disk is full in the middle of an array."""
_LARGEST_PROCESS = 2**22
"""The largest number of a process on Linux."""


def as_path(value: object, where: str = "") -> Path:
    """Return a caller's argument as a `Path`.

    Args:
        value: a str or a path.
        where: the flag of the option, or the name of the argument, for the error.

    Raises:
        BadInput: `value` is neither a str nor a path.
    """
    if not isinstance(value, str | os.PathLike):
        value_text = "None" if value is None else f"{value!r:.60} ({type(value).__name__})"
        raise BadInput(f"expected a path, not {value_text}", where=where, mend="give a text or a pathlib.Path")
    return Path(value)


def _partial(target: Path, process: int) -> Path:
    """Return the path beside `target` of the temporary file or folder that the process with this id writes."""
    return target.with_name(f".{target.name}.{process}.part")


@contextmanager
def atomic_write(path: Path | str) -> Iterator[Path]:
    """Yield the path of a temporary file beside `path`; on success that file replaces `path`, on failure it is removed.

    A reader of `path` sees the whole old file or the whole new one, even after a loss of power.

    Raises:
        BadInput: the disk is full or the folder cannot be written.
    """
    target = as_path(path)
    temporary = _partial(target, os.getpid())
    try:
        make_folder(target.parent)
        yield temporary
        sync(temporary)
        temporary.replace(target)
        sync(target.parent)
    except OSError as error:
        raise unwritable(error, target) from error
    finally:
        with suppress(OSError):
            temporary.unlink()


@contextmanager
def replacing_folder(path: Path | str) -> Iterator[Path]:
    """Yield a new folder beside `path` to fill; on success it replaces `path`, on failure it is removed.

    The old folder is removed only after the new folder is at `path` and on the disk. On Linux the two are swapped in
    one step. On a disk or system that cannot swap folders, `path` does not exist for a moment. If the process is killed
    in that moment, the next process that writes to `path` renames the old folder back.

    Raises:
        BadInput: `path` is a file, the disk is full or the folder cannot be written.
    """
    target = Path(path)
    if target.exists() and not target.is_dir():
        raise BadInput("this is a file, not a folder", where=str(target), mend="choose another folder")
    temporary = _partial(target, os.getpid())
    try:
        _restore_interrupted(target)
        sweep_dead(target)
        shutil.rmtree(temporary, ignore_errors=True)
        make_folder(target.parent)
        temporary.mkdir()
        yield temporary
        sync_tree(temporary)
        _move_into_place(temporary, target)
    except OSError as error:
        raise unwritable(error, target) from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


@contextmanager
def filling_folder(folder: Path, last: str = ".safetensors") -> Iterator[Path]:
    """Yield a temporary folder to fill, and move its files to `folder` at the end, each atomically.

    Other files in `folder` stay as they are.

    Args:
        folder: where the files go.
        last: suffix of the files that are moved last: if one of them is there, all other files are there too.

    Raises:
        BadInput: the disk is full or the folder cannot be written.
    """
    remove_partial_files(folder)
    part = folder / f".model.{os.getpid()}.part"
    try:
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        yield part
        written = [path for path in part.rglob("*") if path.is_file()]
        for path in sorted(written, key=lambda path: path.suffix == last):
            with atomic_write(folder / path.relative_to(part)) as neighbour:
                path.rename(neighbour)
    except OSError as error:
        raise unwritable(error, folder) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _move_into_place(temporary: Path, target: Path) -> None:
    """Move a folder to `target`; an older folder there ends up at `temporary`, or is removed."""
    if not target.exists():
        temporary.rename(target)
    elif not exchange(temporary, target):
        _rename_over(temporary, target)
    sync(target.parent)


def _rename_over(temporary: Path, target: Path) -> None:
    """Rename a folder to `target`; the older folder there is moved aside, then removed or, on failure, moved back."""
    old = target.with_name(f".{target.name}.{os.getpid()}.old")
    target.rename(old)
    try:
        temporary.rename(target)
    except OSError:
        with suppress(OSError):
            old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _restore_interrupted(target: Path) -> None:
    """Undo a replacement whose process was killed: rename the old folder back, or remove it if the new one is there."""
    for old in target.parent.glob(f".{escape(target.name)}.*.old"):
        if target.exists():
            shutil.rmtree(old, ignore_errors=True)
        else:
            old.rename(target)


def sweep_neighbours(target: Path) -> None:
    """Remove the temporary files of `atomic_write` beside `target`, which killed processes left there.

    No other process may write `target` meanwhile.
    """
    for partial in list(target.parent.glob(f".{escape(target.name)}.*.part")):
        partial.unlink(missing_ok=True)


def sweep_dead(target: Path) -> None:
    """Remove the temporary files and folders of `atomic_write` and `replacing_folder` beside `target`.

    The files and folders of processes that still run on this machine stay.
    """
    for partial in list(target.parent.glob(f".{escape(target.name)}.*.part")):
        if not _may_run(partial.name.split(".")[-2]):
            _remove(partial)


def _may_run(process: str) -> bool:
    """True if a process with this number may be running, also if the system cannot tell without ending the process."""
    if os.name == "nt" or not process.isdecimal():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # another user's process; too large for a process number
        return True
    return True


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def remove_partial_files(folder: Path) -> None:
    """Remove the temporary files and folders of `atomic_write` and `replacing_folder` in a folder and its subfolders.

    No other process may write in the folder meanwhile.
    """
    for partial in list(folder.rglob(".*.part")):
        _remove(partial)


@contextmanager
def no_empty_folders(*folders: Path) -> Iterator[None]:
    """Remove the folders that the body of the `with` statement created and left empty, if the body fails.

    Args:
        folders: the folders that the body may create.
    """
    missing = [folder for folder in folders if not folder.exists()]
    try:
        yield
    except BaseException:
        for folder in reversed(missing):
            with suppress(OSError):
                folder.rmdir()
        raise


def unwritable(error: OSError, target: Path) -> BadInput:
    """Return the `BadInput` to raise for an operating system error that occurred while writing `target`."""
    number = errno.ENOSPC if _SHORT_WRITE.fullmatch(str(error)) else error.errno
    reason = _DISK_ERRORS.get(number or 0, error.strerror or str(error))
    full = number in {errno.ENOSPC, errno.EDQUOT}
    mend = "free some space or choose another --out" if full else "choose another --out, or change its permissions"
    return BadInput(f"cannot write: {reason}", where=str(target), mend=mend)


def require_writable(folder: Path) -> None:
    """Check before any work that a folder can be written; nothing is created.

    Raises:
        BadInput: `folder` is a file, or the nearest existing folder (itself or above) cannot be written.
    """
    try:
        nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
        if nearest.is_dir():
            with tempfile.TemporaryFile(dir=nearest):
                return
    except OSError as error:
        raise unwritable(error, folder) from error
    raise BadInput("this is a file, not a folder", where=str(nearest), mend="choose another --out")


def require_writable_file(path: Path) -> None:
    """Check before any work that a file can be written: its folder, and the length of its name; nothing is created.

    Raises:
        BadInput: the folder cannot be written, or the file's name is too long for the file system. Names are limited to
            a few bytes less than the file system's limit, as a temporary file with a longer name is written first.
    """
    require_writable(path.parent)
    nearest = next(folder for folder in path.absolute().parents if folder.exists())
    try:
        _partial(nearest / f"{path.name}.json", _LARGEST_PROCESS).lstat()  # the longest that `embed` writes
    except FileNotFoundError:
        return
    except OSError as error:
        raise unwritable(error, path) from error


def require_free(out: Path) -> None:
    """Check before any work that `out` can be written and that no file of the user would be lost.

    Raises:
        BadInput: `out` is a file, a link or a folder with something in it, or cannot be written.
    """
    require_writable(out)
    if out.is_symlink() or (out.exists() and any(out.iterdir())):
        mend = "give another --out, or remove it first"
        raise BadInput("this is there already, and would be replaced", where=str(out), mend=mend)


def require_distinct(target: Path | str, *inputs: Path | str) -> None:
    """Check before any work that the output would not overwrite an input.

    Raises:
        BadInput: `target` is one of the inputs, even if under another path.
    """
    if any(Path(target).resolve() == Path(source).resolve() for source in inputs):
        raise BadInput("the output would overwrite the input", where=str(target), mend="give another --out")


def require_outside(target: Path | str, *models: Path | str) -> None:
    """Check before any work that an output does not overlap the folder of a model that is read.

    Args:
        target: the folder or file to write.
        models: the models that are read, each a folder or a name; a name that is no folder passes the check.

    Raises:
        BadInput: `target` is the folder of a model, lies inside it or contains it, even if under another path.
    """
    out = Path(target).resolve()
    for model in models:
        folder = Path(model).resolve()
        if folder.exists() and (out.is_relative_to(folder) or folder.is_relative_to(out)):
            how = "is" if out == folder else "lies inside" if out.is_relative_to(folder) else "contains"
            what = f"this {how} the folder of the model that is read, {model}"
            raise BadInput(what, where=str(target), mend="give another --out")


def require_regular(path: Path | str) -> None:
    """Refuse a named pipe, a device or a socket before the path is opened: reading such a file may never end.

    A missing path and a folder pass the check: the code that opens the path reports them.

    Raises:
        BadInput: `path` is such a special file.
    """
    target = Path(path)
    if target.exists() and not target.is_file() and not target.is_dir():
        raise BadInput("this is not a regular file", where=str(path), mend="save it as a file first")


def write_text(path: Path | str, text: str) -> None:
    r"""Write UTF-8 text atomically.

    File names in the text may hold bytes that are not UTF-8, which Python holds as lone surrogates. The surrogates are
    written as the escapes `\udc80` to `\udcff`, which a JSON reader turns into the same names.

    Args:
        path: the file to write.
        text: the text.
    """
    with atomic_write(path) as temporary:
        temporary.write_text(text, encoding="utf-8", errors="backslashreplace")


def sha256(path: Path | str) -> str:
    """Return the SHA-256 of a file's bytes, as 64 hexadecimal digits.

    Raises:
        BadInput: `path` is not a regular file, or cannot be read.
    """
    require_regular(path)
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        mend = "check the path and its permissions"
        raise BadInput(f"cannot read: {error.strerror}", where=str(path), mend=mend) from error


def sha256_of_bytes(data: bytes) -> str:
    """Return the SHA-256 of some bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def content_key(*parts: object) -> str:
    """Return a hash of `parts` in their order, as 32 hexadecimal digits.

    Args:
        parts: bytes and memoryviews, hashed as they are, and other objects, hashed as their `str`.
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes | memoryview) else str(part).encode(errors="surrogatepass")
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()[:32]


def cache_folder() -> Path:
    """Return the folder for cached results: `$WORDWORTH_CACHE`, else `wordworth` in the user's cache folder.

    Raises:
        BadInput: `$WORDWORTH_CACHE` is not set, and the user has no home folder.
    """
    configured = os.environ.get("WORDWORTH_CACHE")
    if configured:
        return Path(configured)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else _home() / ".cache") / "wordworth"


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:  # a container's user without a passwd entry, and no HOME
        what = "this user has no home folder to keep computed vectors in"
        raise BadInput(what, mend="set WORDWORTH_CACHE to a folder that can be written") from error
