"""Dropout with its own generator, so that training can resume at any step and threads do not share random state."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

_LEVELS = 1 << 16


class Dropout(nn.Module):
    """Set values to 0 at a rate and scale the others by `1 / (1 - rate)`; in training mode only.

    On a CPU, random numbers come from numpy's generator in the attribute `draws` if a trainer has set it, else from
    torch's global generator. Numpy's generator is also much faster here: one number of 64 bits decides on four values,
    with 16 bits each. On a GPU, random numbers always come from torch's generator of that GPU, which `draw_from`
    reseeds.

    Args:
        rate: share of values dropped, 0 <= rate < 1; a multiple of 1 / 65,536 is exact.
    """

    def __init__(self, rate: float) -> None:
        super().__init__()
        self.rate = rate
        self.draws: np.random.Generator | None = None

    @property
    def acts(self) -> bool:
        """Whether dropout is active: the module is in training mode, and the rate is above 0."""
        return self.training and self.rate > 0

    def forward(self, values: Tensor) -> Tensor:
        """Return values of any shape with a share set to 0 and the rest scaled; unchanged if dropout is not active."""
        if not self.acts:
            return values
        if values.is_cuda or self.draws is None:
            return functional.dropout(values, self.rate)
        dropped: Tensor = values * self._keep(values.shape, values.dtype, self.draws)
        return dropped

    def added(self, values: Tensor, branch: Tensor) -> Tensor:
        """Apply dropout to `branch`, and return the sum of `values` and the result.

        On a CPU, if the attribute `draws` has a generator, this takes one pass over the values instead of two.

        Args:
            values: a tensor of any shape.
            branch: a tensor of the same shape.

        Returns:
            A tensor of that shape.
        """
        if not self.acts or values.is_cuda or self.draws is None:
            thinned: Tensor = self(branch)
            return values + thinned
        total: Tensor = torch.addcmul(values, branch, self._keep(branch.shape, branch.dtype, self.draws))
        return total

    def _keep(self, shape: Sequence[int], dtype: torch.dtype, draws: np.random.Generator) -> Tensor:
        """Draw a mask: 0 where a value is dropped, `1 / (1 - rate)` elsewhere."""
        if not math.prod(shape):
            return torch.ones(*shape, dtype=dtype)
        words = draws.integers(0, (1 << 64) - 1, size=-(-math.prod(shape) // 4), dtype=np.uint64, endpoint=True)
        return scales(torch.from_numpy(words.view(np.int64)), self.rate, shape, dtype)


def scales(words: Tensor, rate: float, shape: Sequence[int], dtype: torch.dtype) -> Tensor:
    """Turn random bits into a dropout mask: 0 where dropped, `1 / (1 - rate)` elsewhere.

    Args:
        words: random int64 numbers, [numbers]; each decides on four values of the mask, with 16 bits each.
        rate: share of values dropped.
        shape: shape of the mask.
        dtype: dtype of the mask.

    Returns:
        [*shape], in `dtype`.
    """
    bits = words.view(torch.int16)[: math.prod(shape)].view(*shape)
    keep: Tensor = bits >= round(rate * _LEVELS) - _LEVELS // 2
    return keep.to(dtype).mul_(1 / (1 - rate))


def draw_from(model: nn.Module, draws: np.random.Generator | None) -> None:
    """Make every `Dropout` of a model take its random numbers from `draws`, in the order of the forward pass.

    On a GPU, reseed torch's generator of that GPU with a seed drawn from `draws`.

    Args:
        model: the model.
        draws: the generator; None goes back to torch's global generator.
    """
    for module in model.modules():
        if isinstance(module, Dropout):
            module.draws = draws
    device = next((each.device for each in model.parameters()), None)
    if draws is not None and device is not None and device.type == "cuda":
        with torch.cuda.device(device):
            torch.cuda.manual_seed(int(draws.integers(1 << 63)))


def dropped(values: Tensor, rate: float, generator: torch.Generator | None) -> Tensor:
    """Apply dropout: set values to 0 at `rate` and scale the rest by `1 / (1 - rate)`.

    On a GPU, the random numbers come from torch's generator of that GPU, which `draw_from` seeds.

    Args:
        values: a tensor of any shape.
        rate: the probability that a value is set to 0.
        generator: draws which values are set to 0 on a CPU; None returns `values` unchanged on any device.

    Returns:
        A tensor of the shape of `values`.
    """
    if generator is None or rate == 0:
        return values
    if values.is_cuda:
        return functional.dropout(values, rate)
    words = torch.empty(-(-values.numel() // 4), dtype=torch.int64).random_(-(1 << 63), None, generator=generator)
    return values * scales(words, rate, values.shape, values.dtype)
