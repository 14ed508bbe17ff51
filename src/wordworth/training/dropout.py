"""Dropout from a generator of its own: torch's draws from the process's, which other threads use as well."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.models.dropout import scales


def dropped(values: Tensor, rate: float, generator: torch.Generator | None) -> Tensor:
    """Values with each set to 0 at `rate`, the others grown by `1 / (1 - rate)`; as they are without a generator.

    A GPU draws from its own, as `wordworth.models.dropout.draw_from` has set it.
    """
    if generator is None or rate == 0:
        return values
    if values.is_cuda:
        return functional.dropout(values, rate)
    words = torch.empty(-(-values.numel() // 4), dtype=torch.int64).random_(-(1 << 63), None, generator=generator)
    return values * scales(words, rate, values.shape, values.dtype)
