"""Where a model computes: a processor or a GPU, by name; and how a step's numbers get there."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import BadInput


def device_of(name: str) -> torch.device:
    """The device of that name; `auto` is a GPU where there is one.

    Raises:
        BadInput: there is no such device on this machine.
    """
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError as error:
        raise BadInput(f"no device {name!r}", where="--device", mend="give auto, cpu or cuda") from error
    if device.type not in {"cpu", "cuda"}:
        raise BadInput(f"nothing is computed on a {device.type} here", where="--device", mend="give auto, cpu or cuda")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise BadInput(f"this machine has no device {name!r}", where="--device", mend="give auto or cpu")
    return device


def on_device(numbers: NDArray[np.int64], like: Tensor) -> Tensor:
    """int64 numbers as a tensor where another is; a GPU is not waited for."""
    return torch.from_numpy(numbers).to(like.device, non_blocking=True)


def name_of(device: torch.device) -> str:
    """What a person calls it: `cpu`, or the GPU's own name."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type
