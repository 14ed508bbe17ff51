"""Folder locks: only one process works in a folder at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import unwritable
from wordworth.subprocesses import require_main_guard


@contextmanager
def alone_in(folder: Path, *, waits: bool = True, can_move: bool = True) -> Iterator[None]:
    """Lock a folder against other processes for a `with` statement; the lock ends at the latest with this process.

    Args:
        folder: the folder to lock, created if missing.
        waits: whether to wait while another process has the lock, rather than to raise; after the wait, that process's
            result may be in the folder.
        can_move: whether the user may choose another folder with --out, for the message.

    Raises:
        BadInput: the folder cannot be created or locked, or another process has the lock and `waits` is False.
    """
    require_main_guard()
    try:
        import fcntl
    except ImportError:  # Windows, where folders cannot be locked
        yield
        return
    try:
        descriptor = _lock(folder, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        mend = f"wait until it has ended{', or choose another --out' if can_move else ''}"
        raise BadInput("another process is at work here", where=str(folder), mend=mend) from error
    except OSError as error:
        raise unwritable(error, folder) from error
    try:
        yield
    finally:
        os.close(descriptor)


def _lock(folder: Path, kind: int) -> int:
    """Lock a folder, created if missing, and return its file descriptor.

    The process that held the lock may have removed the folder as it ended; then the lock is on a folder that is no
    longer there, and the loop creates and locks a new one.

    Args:
        folder: the folder.
        kind: the operation of `fcntl.flock`: `LOCK_EX`, with `LOCK_NB` to raise BlockingIOError rather than to wait.
    """
    import fcntl

    while True:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, kind)
            if folder.exists() and os.path.samestat(os.fstat(descriptor), folder.stat()):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
