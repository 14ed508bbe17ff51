"""Dropout from a generator of its own: torch's draws from the process's, which other threads use as well."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def dropped(values: Tensor, rate: float, generator: torch.Generator | None) -> Tensor:
    """Values with each set to 0 at `rate`, the others grown by `1 / (1 - rate)`; as they are without a generator.

    A GPU draws from its own, as `wordworth.models.dropout.draw_from` has set it.
    """
    if generator is None or rate == 0:
        return values
    if values.is_cuda:
        return functional.dropout(values, rate)
    keep = torch.empty_like(values, requires_grad=False).bernoulli_(1 - rate, generator=generator)
    return values * keep / (1 - rate)
