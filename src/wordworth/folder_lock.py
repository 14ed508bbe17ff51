"""Folders that one process works in at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.files import unwritable


@contextmanager
def alone_in(folder: Path, *, waits: bool = True) -> Iterator[None]:
    """Keep other processes out of a folder; the lock goes with the process, however it ends.

    Args:
        folder: made if it is not there.
        waits: for another process that works there, whose result will do for this one too.

    Raises:
        BadInput: the folder cannot be made or locked, or another process works there and this one does not wait.
    """
    try:
        import fcntl
    except ImportError:  # Windows, where folders cannot be locked
        yield
        return
    with _refusals(folder):
        guard = _locked(folder, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        yield
    finally:
        os.close(guard)


def _locked(folder: Path, kind: int) -> int:
    """The descriptor of a folder that this process has locked.

    Whoever had it may have removed it as they left: then the lock is of a folder that is no longer there.
    """
    import fcntl

    while True:
        folder.mkdir(parents=True, exist_ok=True)
        guard = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(guard, kind)
            if folder.exists() and os.path.samestat(os.fstat(guard), folder.stat()):
                return guard
        except BaseException:
            os.close(guard)
            raise
        os.close(guard)


@contextmanager
def _refusals(folder: Path) -> Iterator[None]:
    """What the system says of a lock, in words."""
    try:
        yield
    except BlockingIOError as error:
        mend = "wait until it has ended, or choose another --out"
        raise BadInput("another process is at work here", where=str(folder), mend=mend) from error
    except OSError as error:
        raise unwritable(error, folder) from error
