"""System calls for durable files: flush to disk so that files survive a loss of power, and swap folders in one step."""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache
from pathlib import Path
from typing import Any

_AT_FDCWD, _EXCHANGE = -100, 2
"""Arguments of Linux's renameat2: AT_FDCWD (paths are relative to the working folder) and the flag RENAME_EXCHANGE."""
_FOLDER_SYNC_UNSUPPORTED = {errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM}
"""Error numbers of file systems that cannot sync a folder."""


def sync(path: Path) -> None:
    """Wait until the bytes of a file, or the directory entries of a folder, are on the disk.

    A folder is skipped on systems that cannot sync folders.

    Raises:
        OSError: the disk failed.
    """
    folder = path.is_dir()
    if folder and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if not folder or error.errno not in _FOLDER_SYNC_UNSUPPORTED:
            raise
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Wait until a folder and everything in the folder are on the disk.

    Raises:
        OSError: the disk failed.
    """
    for directory, _, names in os.walk(folder, topdown=False):
        for name in names:
            sync(Path(directory) / name)
        sync(Path(directory))


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, and wait until their names are on the disk.

    Raises:
        OSError: the folder cannot be created.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        sync(path.parent)


def exchange(first: Path, second: Path) -> bool:
    """Swap two paths in one step, so that neither is ever missing.

    Args:
        first: a file or folder.
        second: a file or folder on the same disk.

    Returns:
        True if the paths were swapped; False if this system has no such call, and nothing was done.

    Raises:
        OSError: the system can swap paths, but this swap failed.
    """
    swap = _renameat2()
    if swap is None:
        return False
    if swap(_AT_FDCWD, os.fsencode(first), _AT_FDCWD, os.fsencode(second), _EXCHANGE) == 0:
        return True
    number = ctypes.get_errno()
    if number in {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EPERM}:  # this kernel or disk has no such swap
        return False
    raise OSError(number, os.strerror(number), str(second))


@cache
def _renameat2() -> Any:  # noqa: ANN401 - a function of the C library
    """Return the C library's function `renameat2`; None if the library lacks the function."""
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # an older Linux, or another system
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return function
