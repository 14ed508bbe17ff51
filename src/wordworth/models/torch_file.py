"""Weights as torch saves them (`.bin`), read as a stranger's file: named tensors, no larger than the file lets expect.

Before torch opens it, the file is looked through: its archive must not unpack to far more than its bytes, and its
pickle may name nothing but what a tensor is rebuilt with. Nothing in such a file can run.
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
"""Bytes unpacked, or of tensors, for a byte of the file, at most: torch packs nothing, but tied tensors share bytes."""
_FREE_BYTES = 1 << 20
_MOST_STEPS = 500_000
"""Of a pickle: some fifty a tensor are usual."""
_OLD_PICKLES = 5
"""How many a file has that is no archive: a mark, a version, the machine's sizes, the tensors, and their storages."""
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
    """Every tensor of the file by name.

    Raises:
        BadInput: it is damaged, holds something else than named tensors, or claims to be far more than its bytes.
    """
    try:
        _look_through(path)
        with warnings.catch_warnings(action="ignore", category=UserWarning):  # of odd pickles; the error says it
            value = torch.load(path, map_location="cpu", weights_only=True)
    except BadInput:
        raise
    except Exception as error:  # an unpickler fails in any way on damaged bytes
        raise BadInput(f"not a sound weight file: {_reason(error)}", where=str(path), mend=FETCH_AGAIN) from error
    if not isinstance(value, dict) or not all(isinstance(tensor, Tensor) for tensor in value.values()):
        raise BadInput("this file holds something else than named tensors", where=str(path), mend=FETCH_AGAIN)
    _refuse_more(path, sum(tensor.numel() * tensor.element_size() for tensor in value.values()))
    return dict(value)


def _look_through(path: Path) -> None:
    if not zipfile.is_zipfile(path):
        with path.open("rb") as file:
            for _ in range(_OLD_PICKLES):
                _check_pickle(file, path)
        return
    with zipfile.ZipFile(path) as archive:
        _refuse_more(path, sum(member.file_size for member in archive.infolist()))
        for member in archive.infolist():
            if member.filename.endswith(".pkl"):
                with archive.open(member) as file:
                    _check_pickle(file, path)


def _refuse_more(path: Path, claimed: int) -> None:
    """Refuse more bytes than those of the file let expect."""
    size = path.stat().st_size
    if claimed > max(_FREE_BYTES, _SWELLING * size):
        what = f"claims {claimed:,} bytes of weights in a file of {size:,}"
        raise BadInput(what, where=str(path), mend=FETCH_AGAIN)


def _check_pickle(file: IO[bytes], path: Path) -> None:
    """Refuse a pickle that names anything else than what tensors are rebuilt with, or goes on without end."""
    for step, (opcode, name, _) in enumerate(pickletools.genops(file)):
        if opcode.name == "GLOBAL" and not _rebuilds(str(name)):
            what = f"not a sound weight file: it holds {str(name).replace(' ', '.')}, not tensors alone"
            raise BadInput(what, where=str(path), mend=FETCH_AGAIN)
        if step > _MOST_STEPS:
            raise BadInput("not a sound weight file: its pickle has no end", where=str(path), mend=FETCH_AGAIN)


def _rebuilds(name: str) -> bool:
    """Whether a class or function, as a pickle names it, is one that tensors are rebuilt with."""
    module, _, last = name.partition(" ")
    return name in _REBUILDERS or (module in {"torch", "torch.storage"} and last.endswith("Storage"))


def _reason(error: Exception) -> str:
    """What torch said, without its advice to load the file as code."""
    if isinstance(error, pickle.UnpicklingError):
        return "its pickle is damaged or holds more than tensors"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
