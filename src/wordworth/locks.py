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
    try:
        folder.mkdir(parents=True, exist_ok=True)
        guard = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise unwritable(error, folder) from error
    try:
        with _refusals(folder):
            fcntl.flock(guard, fcntl.LOCK_EX if waits else fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
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
