"""Suppress what the `tokenizers` library itself prints about a panic, so that users read only Wordworth's errors."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import BinaryIO

_STDERR = 2


class _Diversion:
    """A redirection of standard error to a file, from the first `begin` to the last `finish` of all threads."""

    def __init__(self) -> None:
        self.lock, self.users = Lock(), 0
        self.original = -1
        self.file: BinaryIO | None = None

    def begin(self) -> None:
        """Redirect standard error to the file, unless another thread has already done so."""
        with self.lock:
            self.users += 1
            if self.users > 1:
                return
            self.file = _unnamed_file()
            self.original = os.dup(_STDERR)
            os.dup2(self.file.fileno(), _STDERR)

    def finish(self, *, panicked: bool) -> None:
        """Write what was printed meanwhile to standard error, or discard it if the library `panicked`.

        The last of the threads that have called `begin` ends the redirection.
        """
        with self.lock:
            assert self.file is not None  # noqa: S101 - `begin` came first
            self.file.seek(0)
            printed = self.file.read()
            self.file.seek(0)
            self.file.truncate()
            if printed and not panicked:
                os.write(self.original, printed)
            self.users -= 1
            if self.users == 0:
                os.dup2(self.original, _STDERR)
                os.close(self.original)
                self.file.close()


def _unnamed_file() -> BinaryIO:
    """Return a new file without a name, in memory if the system has such files: a disk may be read-only."""
    in_memory = getattr(os, "memfd_create", None)  # of Linux
    return os.fdopen(in_memory("stderr"), "r+b", buffering=0) if in_memory else tempfile.TemporaryFile(buffering=0)


_DIVERSION = _Diversion()


@contextmanager
def hide_panic_messages() -> Iterator[None]:
    """Suppress what is printed on standard error if the body of the `with` statement raises.

    Rust prints panic messages to standard error directly, past Python. If the body succeeds, everything printed
    meanwhile (by another thread, for example) appears when the body ends.
    """
    if sys.stderr is None:  # closed before this process began
        yield
        return
    sys.stderr.flush()
    _DIVERSION.begin()
    panicked = True
    try:
        yield
        panicked = False
    finally:
        _DIVERSION.finish(panicked=panicked)
