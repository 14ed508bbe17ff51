"""Arrays in files that end with their own SHA-256, and `ArrayCache`, which keeps what takes time to compute in them."""

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

    A cache file holds the array and the seconds that computing it took. Where a file is damaged, truncated or written
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
        path = self._path(key)
        cached = _read(path, key)
        if cached is not None:
            with self._lock:
                self.spared += cached[1]
            return cached[0]
        began = time.perf_counter()
        value = compute()
        seconds = time.perf_counter() - began
        with suppress(BadInput), atomic_write(path) as temporary:  # a cache that cannot be written only costs time
            write_arrays(temporary, value, seconds, key=key)
        return value

    def seconds(self, key: str) -> float:
        """Return how many seconds it took to compute the array stored under `key`; 0 where none is."""
        cached = _read(self._path(key), key)
        return cached[1] if cached else 0.0

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.npy"


def write_arrays(path: Path, *arrays: np.ndarray | float, key: str = "") -> None:
    """Write arrays as `.npy`, one after the other, and the SHA-256 of `key` and their bytes at the end.

    A reader of `.npy` does not look there.
    """
    with path.open("w+b") as file:
        for array in arrays:
            np.save(file, array, allow_pickle=False)
        size = file.tell()
        file.seek(0)
        digest = _digest(file, key, size)
        file.seek(size)
        file.write(digest)


def is_intact(file: IO[bytes], key: str = "") -> bool:
    """Return whether a file that `write_arrays` wrote under `key` is undamaged; the file is left at its start."""
    size = file.seek(0, os.SEEK_END) - _DIGEST
    file.seek(0)
    intact = size >= 0 and _digest(file, key, size) == file.read()
    file.seek(0)
    return intact


def _read(path: Path, key: str) -> tuple[np.ndarray, float] | None:
    """Return the array and the seconds it took; None where there is no file, or not the one written under this key."""
    with suppress(OSError, ValueError, EOFError), path.open("rb") as file:
        if is_intact(file, key):
            value: np.ndarray = np.load(file, allow_pickle=False)
            return value, float(np.load(file, allow_pickle=False).item())
    return None


def _digest(file: IO[bytes], key: str, size: int) -> bytes:
    """Return the SHA-256 of a key and the next `size` bytes of a file."""
    digest = hashlib.sha256(key.encode())
    while size > 0 and (chunk := file.read(min(size, _CHUNK))):
        digest.update(chunk)
        size -= len(chunk)
    return digest.digest()
