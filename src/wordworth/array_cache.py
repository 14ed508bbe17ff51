"""`ArrayCache`: a cache on disk of arrays that are slow to compute; each file ends with a SHA-256 of its contents."""

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
    """A cache on disk of arrays that are slow to compute.

    Each array has a key, made from hashes of everything that its values depend on. A cache file holds the array and the
    seconds that computing it took. If a file is damaged, truncated or written under another key, the array is computed
    again and the file is replaced.

    Args:
        folder: the folder of the cache files; None is `files.cache_folder()`.

    Attributes:
        spared: seconds of computation avoided through this object so far: the sum of the stored seconds of all arrays
            that it read from the cache.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder()
        self.spared = 0.0
        self._lock = Lock()

    def array(self, key: str, compute: Callable[[], np.ndarray]) -> np.ndarray:
        """Return the array stored under `key`; if nothing is stored under it, call `compute` and store its result.

        Args:
            key: text made from hashes of everything that the array's values depend on.
            compute: returns the array; it is called only if the array is not stored.

        Returns:
            The stored or the new array, in the shape that `compute` gave it.
        """
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

    def holds(self, key: str) -> bool:
        """Return whether an undamaged array is stored under `key`."""
        return _read(self._path(key), key) is not None

    def seconds(self, key: str) -> float:
        """Return how many seconds it took to compute the array stored under `key`; 0 if no array is stored."""
        cached = _read(self._path(key), key)
        return cached[1] if cached else 0.0

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.npy"


def write_arrays(path: Path, *arrays: np.ndarray | float, key: str = "") -> None:
    """Write arrays to one file in `.npy` format, one after the other, and append the SHA-256 of `key` and all arrays.

    `np.load` reads the first array and ignores everything after it. `is_intact` checks the file by the hash and `key`.
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
    """Return whether an open file holds undamaged bytes that `write_arrays` wrote under `key`.

    Afterwards the file is at its beginning.
    """
    size = file.seek(0, os.SEEK_END) - _DIGEST
    file.seek(0)
    intact = size >= 0 and _digest(file, key, size) == file.read()
    file.seek(0)
    return intact


def _read(path: Path, key: str) -> tuple[np.ndarray, float] | None:
    """Return (array, seconds that computing it took) from a cache file.

    The result is None if the file is missing or damaged, or was written under another key.
    """
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
