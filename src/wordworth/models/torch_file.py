"""Read torch's weight files (`.bin`) from untrusted sources: named tensors, not far larger than the file.

The file is checked before torch opens it: its archive must not unpack to far more than its bytes, and its pickle may
name only the functions that rebuild tensors. Nothing in such a file is executed.
"""

from __future__ import annotations

import pickle
import pickletools
import warnings
import zipfile
from pathlib import Path
from typing import IO

import torch
from torch import Tensor

from wordworth.errors import FETCH_AGAIN, BadInput

_SWELLING = 8
"""Bytes unpacked, or of tensors, per byte of the file, at most: torch does not compress; tied tensors share bytes."""
_FREE_BYTES = 1 << 20
_MOST_STEPS = 500_000
"""Opcodes of a pickle, at most; about fifty per tensor are usual."""
_OLD_PICKLES = 5
"""Pickles in a file that is not an archive: magic number, version, system info, tensors, storage keys."""
_REBUILDERS = frozenset(
    {
        "collections OrderedDict",
        "torch Size",
        "torch._utils _rebuild_parameter",
        "torch._utils _rebuild_tensor",
        "torch._utils _rebuild_tensor_v2",
    }
)


def read_torch_file(path: Path) -> dict[str, Tensor]:
    """Read every tensor of the file by name.

    Raises:
        BadInput: the file is damaged, holds anything but named tensors, or claims to be far larger than it is.
    """
    try:
        _check_contents(path)
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # about odd pickles; the error reports it
            value = torch.load(path, map_location="cpu", weights_only=True)
    except BadInput:
        raise
    except Exception as error:  # an unpickler can raise anything on damaged bytes
        raise BadInput(f"not a valid weight file: {_reason(error)}", where=str(path), mend=FETCH_AGAIN) from error
    if not isinstance(value, dict) or not all(isinstance(tensor, Tensor) for tensor in value.values()):
        raise BadInput("this file does not hold named tensors", where=str(path), mend=FETCH_AGAIN)
    _refuse_oversized(path, sum(tensor.numel() * tensor.element_size() for tensor in value.values()))
    return dict(value)


def _check_contents(path: Path) -> None:
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            for _ in range(_OLD_PICKLES):
                _check_pickle(file, path)
        return
    with zipfile.ZipFile(path) as archive:
        _refuse_oversized(path, sum(member.file_size for member in archive.infolist()))
        for member in archive.infolist():
            if member.filename.endswith(".pkl"):
                with archive.open(member) as file:
                    _check_pickle(file, path)


def _refuse_oversized(path: Path, claimed: int) -> None:
    """Refuse a file that claims far more bytes than it has."""
    size = path.stat().st_size
    if claimed > max(_FREE_BYTES, _SWELLING * size):
        what = f"claims {claimed:,} bytes of weights in a file of {size:,}"
        raise BadInput(what, where=str(path), mend=FETCH_AGAIN)


def _check_pickle(file: IO[bytes], path: Path) -> None:
    """Refuse a pickle that names anything but what rebuilds tensors, or that is endless."""
    for step, (opcode, name, _) in enumerate(pickletools.genops(file)):
        if opcode.name == "GLOBAL" and not _rebuilds(str(name)):
            what = f"not a valid weight file: it holds {str(name).replace(' ', '.')}, not tensors alone"
            raise BadInput(what, where=str(path), mend=FETCH_AGAIN)
        if step > _MOST_STEPS:
            raise BadInput("not a valid weight file: its pickle has no end", where=str(path), mend=FETCH_AGAIN)


def _rebuilds(name: str) -> bool:
    """Whether a class or function, as a pickle names it, is one that rebuilds tensors."""
    module, _, last = name.partition(" ")
    return name in _REBUILDERS or (module in {"torch", "torch.storage"} and last.endswith("Storage"))


def _reason(error: Exception) -> str:
    """Torch's error message, without its advice to load the file as code."""
    if isinstance(error, pickle.UnpicklingError):
        return "its pickle is damaged or holds more than tensors"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
