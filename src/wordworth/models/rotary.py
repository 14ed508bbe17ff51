"""Rotary positions (Su et al. 2021, arXiv 2104.09864): rotate queries and keys by an angle proportional to position.

The halves of a head rotate together (as in GPT-NeoX and ModernBERT): dimension i pairs with i + head_size / 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import torch
from torch import Tensor

if TYPE_CHECKING:
    from wordworth.models.transformer_layers import BodyConfig

Turn: TypeAlias = tuple[Tensor, Tensor]
"""Cosine and sine, each [tokens, 1, head_size / 2]."""


def turns(starts: Tensor, config: BodyConfig) -> Turn:
    """Angle of each token: position times base^(-2i / head_size) for pair i, as cosine and sine."""
    lengths = (starts[1:] - starts[:-1]).long()
    positions = torch.arange(int(starts[-1]), device=starts.device) - starts[:-1].long().repeat_interleave(lengths)
    pairs = torch.arange(config.head_size // 2, device=starts.device, dtype=torch.float32)
    angles = positions[:, None] * config.rotary_base ** (-2 * pairs / config.head_size)
    return angles.cos()[:, None], angles.sin()[:, None]


def turn(x: Tensor, by: Turn) -> Tensor:
    """Rotate each pair of [tokens, heads, head_size] by its token's angle."""
    cosine, sine = (part.to(x.dtype) for part in by)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)
