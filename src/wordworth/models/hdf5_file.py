"""Read weights in HDF5 from untrusted files; nothing else imports h5py.

A file may hold only plain arrays of floating-point numbers, stored in the file itself. Links, arrays whose bytes are in
other files (external or virtual), and arrays that claim to be far larger than the file are refused before they are
read. Nothing in such a file is executed.
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
"""Maximal number of bytes of arrays per byte of the file: trained weights can hardly be compressed."""
_AGAIN = "fetch the file from those who published it"


def read_hdf5(path: Path) -> dict[str, Tensor]:
    """Read every array of an HDF5 file; return path inside the file -> float32 tensor of the stored shape.

    Raises:
        BadInput: the file is not a valid HDF5 file, or holds anything but plain arrays of numbers.
        MissingExtra: h5py is not installed.
    """
    try:
        import h5py
    except ModuleNotFoundError as error:
        raise MissingExtra("h5py", "elmo") from error
    try:
        with h5py.File(path, "r") as file:
            return _read(file, path)
    except BadInput:
        raise
    except (OSError, RuntimeError, KeyError, ValueError) as error:  # all that h5py raises for damaged bytes
        raise BadInput(f"not a valid HDF5 file: {error}", where=str(path), mend=_AGAIN) from error


def _read(file: h5py.File, path: Path) -> dict[str, Tensor]:
    bytes_left = _SWELLING * path.stat().st_size
    tensors: dict[str, Tensor] = {}
    for name, dataset in _datasets(file, path, "", count(1)):
        bytes_left -= dataset.size * np.dtype(np.float32).itemsize
        if bytes_left < 0:
            raise BadInput("this array claims to be far larger than the file", where=f"{path}:{name}", mend=_AGAIN)
        tensors[name] = torch.from_numpy(np.asarray(dataset[...], dtype=np.float32))
    return tensors


def _datasets(group: h5py.Group, path: Path, at: str, entries: Iterator[int]) -> Iterator[tuple[str, h5py.Dataset]]:
    """Yield (path inside the file, array) of each array under a group, at any depth, if all are stored in this file.

    Args:
        group: the group.
        path: the file, for errors.
        at: path of the group inside the file.
        entries: counts arrays and groups, to limit their number: groups that contain each other twice would be visited
            for days.
    """
    import h5py

    if at.count("/") > _DEEPEST:
        raise BadInput(f"groups nested deeper than {_DEEPEST}", where=f"{path}:{at}", mend=_AGAIN)
    for key in group:
        name = f"{at}{key}"
        if next(entries) > _MOST:
            raise BadInput(f"more than {_MOST:,} groups and arrays", where=f"{path}:{name[:_SHOWN]}", mend=_AGAIN)
        if not isinstance(group.get(key, getlink=True), h5py.HardLink):
            raise BadInput("this is a link, not an array", where=f"{path}:{name}", mend=_AGAIN)
        member = group[key]
        if isinstance(member, h5py.Group):
            yield from _datasets(member, path, f"{name}/", entries)
        else:
            yield name, _plain(member, f"{path}:{name}")


def _plain(member: object, where: str) -> h5py.Dataset:
    """Return an array after checking that it is plain and stored in the file."""
    import h5py

    if not isinstance(member, h5py.Dataset) or member.dtype.kind != "f":
        raise BadInput("not an array of floating-point numbers", where=where, mend=_AGAIN)
    if member.external or member.is_virtual:
        raise BadInput("an array whose data is in other files", where=where, mend=_AGAIN)
    if member.shape is None:
        raise BadInput("an array without a shape", where=where, mend=_AGAIN)
    return member
