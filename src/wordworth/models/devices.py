"""Find a device (CPU or GPU) by its name, tell which dtypes it multiplies natively, and copy data to it."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import BadInput


def device_of(name: str, dtype: str = "auto") -> torch.device:
    """Return the torch device that a name stands for.

    Args:
        name: `cpu`, `cuda`, `cuda:N`, or `auto`: a GPU if the machine has one and `dtype` is not int8, else the CPU.
        dtype: dtype of the computation; `auto` needs it, since int8 is computed on a CPU only.

    Raises:
        BadInput: this machine has no such device.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() and dtype != "int8" else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise BadInput(f"no device {name!r}", where="--device", mend="give auto, cpu or cuda") from error
    if device.type not in {"cpu", "cuda"}:
        raise BadInput(f"device type {device.type!r} is not supported", where="--device", mend="give auto, cpu or cuda")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise BadInput(f"this machine has no device {name!r}", where="--device", mend="give auto or cpu")
    return device


def on_device(numbers: NDArray[np.int64], device: torch.device) -> Tensor:
    """Copy an int64 array to a device, without waiting for a GPU to finish the copy.

    Args:
        numbers: int64 of any shape.
        device: the device.

    Returns:
        The copy, in the shape of `numbers`.
    """
    return torch.from_numpy(numbers).to(device, non_blocking=True)


def name_of(device: torch.device) -> str:
    """Return the name of a device for display: `cpu`, or the GPU's model."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


@cache
def has_bfloat16() -> bool:
    """Return whether the CPU multiplies bfloat16 natively (AMX, AVX-512 BF16); else bfloat16 is slow."""
    return _any("_is_avx512_bf16_supported", "_is_amx_tile_supported")


def multiplies_bfloat16(device: torch.device) -> bool:
    """Return whether a CPU or GPU multiplies bfloat16 natively."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return has_bfloat16()


@cache
def multiplies_signed_bytes() -> bool:
    """Return whether the CPU multiplies signed by signed bytes natively (AMX).

    A CPU with VNNI alone multiplies unsigned by signed bytes. For products that a CPU lacks, oneDNN falls back to a
    plain loop, a thousand times slower.
    """
    return _any("_is_amx_tile_supported")


def _any(*names: str) -> bool:
    """Return whether any of some functions of `torch.cpu` returns true; a function that torch lacks counts as false."""
    return any(bool(getattr(torch.cpu, name, bool)()) for name in names)
