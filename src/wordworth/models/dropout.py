"""Dropout whose draws can be told, so that a run can be taken up at any step and threads do not disturb each other."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

_LEVELS = 1 << 16


class Dropout(nn.Module):
    """Values set to 0 at a rate, the others grown by `1 / (1 - rate)`; in training mode only.

    Where a trainer has set `draws`, every draw comes from that generator (on a processor also much faster: four draws
    of 16 bits from one number); else from torch's own, which belongs to the whole process. A GPU always draws from
    torch's own, which `draw_from` begins anew.

    Args:
        rate: of values dropped, 0 to below 1; a multiple of 1 / 65,536 is exact.
    """

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate
        self.draws: np.random.Generator | None = None

    @property
    def acts(self) -> bool:
        """Whether anything is dropped now."""
        return self.training and self.rate > 0

    def forward(self, values: Tensor) -> Tensor:
        """The values, some of them dropped."""
        if not self.acts:
            return values
        if values.is_cuda or self.draws is None:
            return functional.dropout(values, self.rate)
        dropped: Tensor = values * self._keep(values.shape, values.dtype, self.draws)
        return dropped

    def added(self, values: Tensor, branch: Tensor) -> Tensor:
        """`values` plus the branch, some of the branch dropped: in one pass where the draws are our own."""
        if not self.acts or values.is_cuda or self.draws is None:
            thinned: Tensor = self(branch)
            return values + thinned
        total: Tensor = torch.addcmul(values, branch, self._keep(branch.shape, branch.dtype, self.draws))
        return total

    def _keep(self, shape: Sequence[int], dtype: torch.dtype, draws: np.random.Generator) -> Tensor:
        """0 where a value is dropped, `1 / (1 - rate)` elsewhere."""
        words = draws.integers(0, (1 << 64) - 1, size=-(-math.prod(shape) // 4), dtype=np.uint64, endpoint=True)
        return scales(torch.from_numpy(words.view(np.int64)), self.rate, shape, dtype)


def scales(words: Tensor, rate: float, shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """0 for a number below the rate, `1 / (1 - rate)` for others; numbers are 16 bits of int64 words, four of each."""
    bits = words.view(torch.int16)[: math.prod(shape)].view(*shape)
    keep: Tensor = bits >= round(rate * _LEVELS) - _LEVELS // 2
    return keep.to(dtype).mul_(1 / (1 - rate))


def draw_from(model: nn.Module, draws: np.random.Generator | None) -> None:
    """Have every `Dropout` in the model take its draws from this generator, in the order in which they are reached.

    On a GPU torch's own generator of that GPU starts anew, at a seed drawn from this one.
    """
    for module in model.modules():
        if isinstance(module, Dropout):
            module.draws = draws
    device = next((each.device for each in model.parameters()), None)
    if draws is not None and device is not None and device.type == "cuda":
        with torch.cuda.device(device):
            torch.cuda.manual_seed(int(draws.integers(1 << 63)))
