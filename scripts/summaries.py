"""`summary`: the contents of a file as JSON values: the values themselves if they are few, else their SHA-256."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pyarrow import parquet
from safetensors.numpy import load_file


def summary(path: Path) -> object:
    """Return the values in a file as JSON; for an unknown suffix, the SHA-256 of its bytes."""
    return READERS.get(path.suffix, _bytes)(path)


def _bytes(path: Path) -> object:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _array(value: np.ndarray) -> dict[str, object]:
    """Return an array's shape, type and the SHA-256 of its values."""
    digest = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
    return {"shape": list(value.shape), "dtype": str(value.dtype), "sha256": digest}


def _json(path: Path) -> object:
    return json.loads(path.read_text(encoding="utf-8"))


def _lines(path: Path) -> object:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _npy(path: Path) -> object:
    return _array(np.load(io.BytesIO(path.read_bytes())))


def _npz(path: Path) -> object:
    """Arrays; what is text in them is JSON."""
    arrays: dict[str, Any] = {}
    with np.load(path) as file:
        for name in sorted(file):
            value = file[name]
            arrays[name] = json.loads(str(value)) if value.dtype.kind == "U" else _array(value)
    return arrays


def _weights(path: Path) -> object:
    return {name: _array(value) for name, value in sorted(load_file(path).items())}


def _parquet(path: Path) -> object:
    table = parquet.read_table(path)
    columns = {name: np.array(table.column(name).to_pylist()) for name in table.column_names}
    return {name: _array(value) for name, value in columns.items()}


READERS: dict[str, Callable[[Path], object]] = {
    ".json": _json,
    ".jsonl": _lines,
    ".npy": _npy,
    ".npz": _npz,
    ".safetensors": _weights,
    ".parquet": _parquet,
}
"""End of a file's name -> the function that summarises such a file."""
