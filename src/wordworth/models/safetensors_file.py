"""Safetensors files: written with the folder's usual permissions, read only after their header was checked.

Layout: 8 bytes little-endian length of the header, the header (JSON: name to dtype, shape, data_offsets), the data.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from wordworth.errors import FETCH_AGAIN, BadInput
from wordworth.json_file import parse_json

_BYTES = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E5M2": 1, "F8_E4M3": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2,
    "I32": 4, "U32": 4, "F32": 4, "I64": 8, "U64": 8, "F64": 8,
}  # fmt: skip
_LENGTH_BYTES = 8
_LONGEST_HEADER = 100_000_000
_SYSTEM = re.compile(r"\(os error (\d+)\)")
"""How the library reports an error of the operating system."""


def write_safetensors(tensors: Mapping[str, Tensor], path: Path) -> None:
    """Write the tensors; tied tensors are written separately.

    The library makes the file readable by its owner alone; we give it the permissions of any new file in the folder, so
    that another account can serve the model.

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
    """Read every tensor of the file by name.

    Raises:
        BadInput: the file cannot be read, is a pickle under a false name, is truncated, or its header is wrong.
    """
    prove_header(path)
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return dict(load_file(path))
    except (SafetensorError, OSError, ValueError) as error:
        raise BadInput(f"not a valid safetensors file: {error}", where=str(path), mend=FETCH_AGAIN) from error


def prove_header(path: Path) -> Mapping[str, Any]:
    """Read the header's entries by tensor name, after checking sizes and offsets against the file.

    Raises:
        BadInput: they disagree; the message names the tensor.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(_LENGTH_BYTES)
            length = int.from_bytes(start, "little")
            text = file.read(length) if length <= min(size, _LONGEST_HEADER) else b""
    except OSError as error:
        raise BadInput(
            f"cannot read: {error.strerror}", where=str(path), mend="check the path and its rights"
        ) from error
    _refuse_pickle(start, path)
    if len(start) < _LENGTH_BYTES or len(text) < length or not text:
        raise BadInput(f"truncated: {size} bytes end inside the header", where=str(path), mend=FETCH_AGAIN)
    entries = _parse(text, path)
    _check_offsets(entries, size - _LENGTH_BYTES - length, path)
    return entries


def _refuse_pickle(start: bytes, path: Path) -> None:
    if start[:2] == b"PK" or (start[:1] == b"\x80" and start[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}):
        raise BadInput(
            "this is a pickle named .safetensors and is not opened",
            where=str(path),
            mend="fetch the real model.safetensors, or name it pytorch_model.bin if you trust its origin",
        )


def _parse(text: bytes, path: Path) -> dict[str, dict[str, Any]]:
    try:
        header = parse_json(text)
        entries = {name: entry for name, entry in header.items() if name != "__metadata__"}
        for entry in entries.values():
            start, end = entry["data_offsets"]
            sizes = (*entry["shape"], start, end)
            if entry["dtype"] not in _BYTES or any(type(number) is not int or number < 0 for number in sizes):
                raise ValueError(entry)  # noqa: TRY301 - one error for every kind of damage
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput("invalid safetensors header", where=str(path), mend=FETCH_AGAIN) from error
    return entries


def _check_offsets(entries: Mapping[str, dict[str, Any]], size: int, path: Path) -> None:
    """Check that tensors are contiguous from 0 to `size`, each as long as its dtype and shape require."""
    expected = 0
    for name, entry in sorted(entries.items(), key=lambda item: item[1]["data_offsets"]):
        start, end = entry["data_offsets"]
        needed = math.prod(entry["shape"]) * _BYTES[entry["dtype"]]
        if start != expected or end - start != needed:
            reason = f"{entry['dtype']} {entry['shape']} takes {needed} bytes from {expected}, not {start} to {end}"
            raise BadInput(f"the header is wrong about {name!r}: {reason}", where=str(path), mend=FETCH_AGAIN)
        if end > size:
            raise BadInput(f"truncated: {name!r} ends at {end} of {size} bytes", where=str(path), mend=FETCH_AGAIN)
        expected = end
    if expected != size:
        raise BadInput(
            f"the header describes {expected} bytes, the file holds {size}", where=str(path), mend=FETCH_AGAIN
        )
