"""What the disk is asked for so that files survive a loss of power, and folders change places in one step."""

from __future__ import annotations

import ctypes
import errno
import os
from functools import cache
from pathlib import Path
from typing import Any

_AT_FDCWD, _EXCHANGE = -100, 2
"""Of Linux's renameat2: paths as they are, and the flag that swaps them."""
_NO_FOLDERS = {errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM}
"""What disks say that cannot write folders out."""


def sync(path: Path) -> None:
    """Wait until a file or the names in a folder are on the disk; nothing where the system cannot do so for folders.

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
        if not folder or error.errno not in _NO_FOLDERS:
            raise
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Wait until all that is in a folder, and it itself, is on the disk.

    Raises:
        OSError: the disk failed.
    """
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            sync(Path(place) / name)
        sync(Path(place))


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are not there, and wait until their names are on the disk.

    Raises:
        OSError: it cannot be made.
    """
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for path in missing:
        sync(path.parent)


def exchange(first: Path, second: Path) -> bool:
    """Swap two paths in one step, so that at no moment one of them is missing; False where the system cannot.

    Raises:
        OSError: it can, and failed.
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
    """The C library's function; None where it has none."""
    try:
        function = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):  # an older Linux, or another system
        return None
    function.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return function
