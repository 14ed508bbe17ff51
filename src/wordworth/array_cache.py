"""`ArrayCache`: arrays that take time to compute, cached on disk and verified whenever they are read."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import IO

import numpy as np

from wordworth.errors import BadInput
from wordworth.files import atomic_write, cache_folder

_DIGEST = hashlib.sha256().digest_size
_CHUNK = 1 << 20


class ArrayCache:
    """A cache on disk of arrays that take time to compute, each under a key of content hashes, with its seconds.

    A cache file holds the array and the seconds that computing it took, both as `.npy`. The SHA-256 of the key and of
    these bytes follows at the end, where readers of `.npy` do not look. Where a file is damaged, truncated or written
    under another key, the array is computed again and the file replaced.

    Attributes:
        spared: the total seconds that computing once took, of all arrays that were read from the cache so far.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder()
        self.spared = 0.0
        self._lock = Lock()

    def array(self, key: str, compute: Callable[[], np.ndarray]) -> np.ndarray:
        """Return the array stored under `key`; where none is, call `compute`, store its array and return that."""
        path = self.folder / key[:2] / f"{key}.npy"
        cached = _read(path, key)
        if cached is not None:
            with self._lock:
                self.spared += cached[1]
            return cached[0]
        began = time.perf_counter()
        value = compute()
        seconds = time.perf_counter() - began
        with suppress(BadInput), atomic_write(path) as temporary:  # a cache that cannot be written only costs time
            _write(temporary, key, value, seconds)
        return value


def _write(path: Path, key: str, value: np.ndarray, seconds: float) -> None:
    with path.open("w+b") as file:
        np.save(file, value, allow_pickle=False)
        np.save(file, seconds)
        size = file.tell()
        file.seek(0)
        digest = _digest(file, key, size)
        file.seek(size)
        file.write(digest)


def _read(path: Path, key: str) -> tuple[np.ndarray, float] | None:
    """The array and the seconds it took; None where there is no file, or not the one written under this key."""
    with suppress(OSError, ValueError, EOFError), path.open("rb") as file:
        size = file.seek(0, os.SEEK_END) - _DIGEST
        file.seek(0)
        if size < 0 or _digest(file, key, size) != file.read():
            return None
        file.seek(0)
        value: np.ndarray = np.load(file, allow_pickle=False)
        return value, float(np.load(file, allow_pickle=False).item())
    return None


def _digest(file: IO[bytes], key: str, size: int) -> bytes:
    """The SHA-256 of a key and the next `size` bytes of a file."""
    digest = hashlib.sha256(key.encode())
    while size > 0 and (chunk := file.read(min(size, _CHUNK))):
        digest.update(chunk)
        size -= len(chunk)
    return digest.digest()
