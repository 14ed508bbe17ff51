"""Weights in HDF5, read as a stranger's file: the one door to h5py.

A file may only hold plain arrays of floating-point numbers, within itself. Links to other files, arrays whose bytes lie
in other files or are put together from them, and arrays that claim to be far larger than the file are refused before
anything of them is read. Nothing in such a file can run.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from wordworth.errors import BadInput, MissingExtra

if TYPE_CHECKING:
    import h5py

_DEEPEST, _MOST, _SHOWN = 16, 10_000, 80
_SWELLING = 8
"""Bytes of arrays for a byte of the file, at most: trained weights can hardly be compressed."""
_AGAIN = "fetch the file from those who published it"


def read_hdf5(path: Path) -> dict[str, Tensor]:
    """Every array of the file by its path inside, float32.

    Raises:
        BadInput: it is no sound HDF5 file, or holds something else than plain arrays of numbers.
        MissingExtra: h5py is not installed.
    """
    try:
        import h5py
    except ModuleNotFoundError as error:
        raise MissingExtra("h5py", "elmo") from error
    try:
        with h5py.File(path, "r") as file:
            return _read(file, path)
    except (OSError, RuntimeError, KeyError, ValueError) as error:  # all that h5py raises for damaged bytes
        raise BadInput(f"not a sound HDF5 file: {error}", where=str(path), mend=_AGAIN) from error


def _read(file: h5py.File, path: Path) -> dict[str, Tensor]:
    left = _SWELLING * path.stat().st_size
    tensors: dict[str, Tensor] = {}
    for name, found in _datasets(file, path, "", count(1)):
        left -= found.size * np.dtype(np.float32).itemsize
        if left < 0:
            raise BadInput("claims to hold far more than its bytes", where=f"{path}:{name}", mend=_AGAIN)
        tensors[name] = torch.from_numpy(np.asarray(found[...], dtype=np.float32))
    return tensors


def _datasets(group: h5py.Group, path: Path, at: str, entries: Iterator[int]) -> Iterator[tuple[str, h5py.Dataset]]:
    """The arrays under a group, however deep; only what lies in this file itself.

    `entries` counts arrays and groups: groups that hold each other twice would be walked for days without an array.
    """
    import h5py

    if at.count("/") > _DEEPEST:
        raise BadInput("groups inside groups without end", where=f"{path}:{at}", mend=_AGAIN)
    for key in group:
        name = f"{at}{key}"
        if next(entries) > _MOST:
            raise BadInput(f"more than {_MOST:,} groups and arrays", where=f"{path}:{name[:_SHOWN]}", mend=_AGAIN)
        if not isinstance(group.get(key, getlink=True), h5py.HardLink):
            raise BadInput("a link to somewhere else", where=f"{path}:{name}", mend=_AGAIN)
        found = group[key]
        if isinstance(found, h5py.Group):
            yield from _datasets(found, path, f"{name}/", entries)
        else:
            yield name, _plain(found, f"{path}:{name}")


def _plain(found: object, where: str) -> h5py.Dataset:
    import h5py

    if not isinstance(found, h5py.Dataset) or found.dtype.kind != "f":
        raise BadInput("something else than an array of numbers", where=where, mend=_AGAIN)
    if found.external or found.is_virtual:
        raise BadInput("an array whose bytes lie in other files", where=where, mend=_AGAIN)
    if found.shape is None:
        raise BadInput("an array without a shape", where=where, mend=_AGAIN)
    return found
