"""Find and read the files of a checkpoint folder: config, and weights as safetensors, shards or an old `.bin`.

ELMo was published in two files of its own, `…options.json` and `…weights.hdf5`. Safetensors are written with the
folder's usual permissions. A `.bin` of torch is checked before torch opens it: its archive must not unpack to far more
than its bytes, and its pickle may name only the functions that rebuild tensors, so that nothing in it is executed.
"""

from __future__ import annotations

import os
import pickle
import pickletools
import re
import warnings
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO

import torch
from torch import Tensor

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.json_file import read_object
from wordworth.models.hdf5_file import read_hdf5

_AGAIN = "fetch the checkpoint again, or run again what made it"
_WHOLE = ("model.safetensors", "pytorch_model.bin")
PUBLISHED_OPTIONS, PUBLISHED_WEIGHTS = "options.json", "weights.hdf5"
"""Endings of the names of ELMo's two files."""


def config_file(folder: Path) -> Path:
    """Return the path of the folder's `config.json`; in a folder without this file, the path of ELMo's options file.

    Raises:
        BadInput: there are several options files.
    """
    published = None if (folder / "config.json").exists() else _published(folder, PUBLISHED_OPTIONS)
    return published or folder / "config.json"


def _published(folder: Path, ending: str) -> Path | None:
    paths = sorted(folder.glob(f"*{ending}"))
    if len(paths) > 1:
        names = ", ".join(path.name for path in paths)
        raise BadInput(f"several models here: {names}", where=str(folder), mend="give each a folder of its own")
    return paths[0] if paths else None


def weight_files(folder: Path) -> list[Path]:
    """Return the paths of a folder's weight files: safetensors, else `.bin`, else the HDF5 of an ELMo.

    Raises:
        BadInput: there are no weight files, there are files of several ELMos, or a shard that the index names is
            missing.
    """
    for name in _WHOLE:
        index = folder / f"{name}.index.json"
        if (folder / name).is_file():
            return [folder / name]
        if index.is_file():
            return _shards(index)
    published = _published(folder, PUBLISHED_WEIGHTS)
    if published is not None:
        return [published]
    raise BadInput("no weights here", where=str(folder), mend=f"expected {' or '.join(_WHOLE)}")


def read_weights(folder: Path) -> dict[str, Tensor]:
    """Read every tensor of the checkpoint in a folder; return name -> tensor of the stored shape.

    Raises:
        BadInput: a file is missing, unreadable, truncated or not what its name says; two shards hold the same name.
    """
    readers = {".safetensors": read_safetensors, ".hdf5": read_hdf5}
    tensors: dict[str, Tensor] = {}
    for path in weight_files(folder):
        part = readers.get(path.suffix, read_torch_file)(path)
        duplicates = tensors.keys() & part.keys()
        if duplicates:
            raise BadInput(f"{min(duplicates)!r} is in two shards", where=str(path), mend=_AGAIN)
        tensors |= part
    return tensors


def _shards(index: Path) -> list[Path]:
    names = read_object(index, _AGAIN).get("weight_map")
    if not isinstance(names, dict) or not names:
        raise BadInput("this index names no shards", where=str(index), mend=_AGAIN)
    odd = [shard for shard in names.values() if not isinstance(shard, str)]
    if odd:
        raise BadInput(f"a shard of this index is {odd[0]!r:.60}, not a file name", where=str(index), mend=_AGAIN)
    paths = [index.parent / name for name in sorted(set(names.values()))]
    for path in paths:
        if path.parent != index.parent or not path.is_file():
            raise BadInput(f"shard {path.name!r} is missing", where=str(index.parent), mend=_AGAIN)
    return paths


_SYSTEM = re.compile(r"\(os error (\d+)\)")
"""How the library reports an error of the operating system."""
_FAULTS = {
    r"header ?too|header ?length": "truncated: the file ends inside the header",
    r"incomplete ?metadata|metadata ?incomplete": "truncated, or longer than the header describes",
    r"json|deserialization": "invalid safetensors header",
    r"invalid ?(shape|offset)|tensor ?invalid": "the header is wrong about a tensor",
}
"""Pattern of the library's messages, in its releases so far -> what to tell the user."""
_LOST_INTERRUPT = "could not determine the shape of object type"
"""What `torch.asarray` raises, as a ValueError, in place of a KeyboardInterrupt that came while it indexed the storage.

No file causes this error: the library has checked every offset before torch reads a tensor.
"""


def write_safetensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write tensors as safetensors; tensors that share memory are each written in full.

    The safetensors library makes the file readable by its owner alone; this function gives it the permissions of any
    new file in the folder, so that another account can serve the model.

    Args:
        tensors: name -> tensor.
        path: the file to write.

    Raises:
        OSError: the file cannot be written.
    """
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    path.touch()
    mode = path.stat().st_mode
    try:
        save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path, metadata={"format": "pt"})
    except SafetensorError as error:
        system_error = _SYSTEM.search(str(error))
        if system_error is None:
            raise
        raise OSError(int(system_error[1]), os.strerror(int(system_error[1]))) from error
    path.chmod(mode)


def read_safetensors(path: Path) -> dict[str, Tensor]:
    """Read every tensor of a safetensors file; return name -> tensor of the stored shape.

    The library checks all sizes and offsets against the file before it reads a tensor.

    Raises:
        BadInput: the file cannot be read, is a pickle under a false name, is truncated, or its header is wrong.
        KeyboardInterrupt: the process was asked to stop, even where torch dropped the interrupt.
    """
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        with path.open("rb") as file:
            _refuse_pickle(file.read(2), path)
        return dict(load_file(path))
    except BadInput:
        raise
    except OSError as error:
        what = f"cannot read: {error.strerror}"
        raise BadInput(what, where=str(path), mend="check the path and its rights") from error
    except (SafetensorError, ValueError) as error:
        if _LOST_INTERRUPT in str(error):
            raise KeyboardInterrupt from error
        reason = str(error).removeprefix("Error while deserializing header: ")
        faults = (fault for pattern, fault in _FAULTS.items() if re.search(pattern, reason, re.IGNORECASE))
        fault = next(faults, "not a valid safetensors file")
        raise BadInput(f"{fault}: {reason}", where=str(path), mend=FETCH_AGAIN) from error


def _refuse_pickle(start: bytes, path: Path) -> None:
    if start == b"PK" or (start[:1] == b"\x80" and start[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}):
        raise BadInput(
            "this is a pickle named .safetensors and is not opened",
            where=str(path),
            mend="fetch the real model.safetensors, or name it pytorch_model.bin if you trust its origin",
        )


_SWELLING = 8
"""Maximal number of unpacked bytes, or bytes of tensors, per byte of a file; tied tensors share their bytes."""
_FREE_BYTES = 1 << 20
_MOST_STEPS = 500_000
"""Maximal number of opcodes of a pickle; about fifty per tensor are usual."""
_OLD_PICKLES = 5
"""Number of pickles in a file that is not an archive: magic number, version, system info, tensors, storage keys."""
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
    """Read every tensor of a file that `torch.save` wrote; return name -> tensor of the stored shape.

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
    """Raise BadInput if a file claims far more bytes than it has."""
    size = path.stat().st_size
    if claimed > max(_FREE_BYTES, _SWELLING * size):
        what = f"claims {claimed:,} bytes of weights in a file of {size:,}"
        raise BadInput(what, where=str(path), mend=FETCH_AGAIN)


def _check_pickle(file: IO[bytes], path: Path) -> None:
    """Raise BadInput if a pickle names anything but what rebuilds tensors, or is endless."""
    for step, (opcode, name, _) in enumerate(pickletools.genops(file)):
        if opcode.name == "GLOBAL" and not _rebuilds(str(name)):
            what = f"not a valid weight file: it holds {str(name).replace(' ', '.')}, not tensors alone"
            raise BadInput(what, where=str(path), mend=FETCH_AGAIN)
        if step > _MOST_STEPS:
            raise BadInput("not a valid weight file: its pickle has no end", where=str(path), mend=FETCH_AGAIN)


def _rebuilds(name: str) -> bool:
    """Return whether a class or function, as a pickle names it, is one that rebuilds tensors."""
    module, _, last = name.partition(" ")
    return name in _REBUILDERS or (module in {"torch", "torch.storage"} and last.endswith("Storage"))


def _reason(error: Exception) -> str:
    """Return torch's error message, without its advice to load the file as code."""
    if isinstance(error, pickle.UnpicklingError):
        return "its pickle is damaged or holds more than tensors"
    return str(error).splitlines()[0] if str(error) else type(error).__name__
