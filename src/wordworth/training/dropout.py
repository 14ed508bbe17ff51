"""Dropout with its own generator; torch's draws from the process-wide one, which other threads use as well."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.models.dropout import scales


def dropped(values: Tensor, rate: float, generator: torch.Generator | None) -> Tensor:
    """Set values to 0 at `rate` and scale the others by `1 / (1 - rate)`; without a generator return them unchanged.

    On a GPU its own generator draws, as `wordworth.models.dropout.draw_from` has seeded it.
    """
    if generator is None or rate == 0:
        return values
    if values.is_cuda:
        return functional.dropout(values, rate)
    words = torch.empty(-(-values.numel() // 4), dtype=torch.int64).random_(-(1 << 63), None, generator=generator)
    return values * scales(words, rate, values.shape, values.dtype)
