"""What attention knows of positions: rotary angles, learned biases of relative positions, and local windows.

Rotary positions (Su et al. 2021, arXiv 2104.09864) rotate queries and keys by an angle proportional to position.
Dimension i of a head is rotated with dimension i + head_size / 2, as in GPT-NeoX and ModernBERT. A relative position
bias (Raffel et al. 2020, arXiv 1910.10683, section 2.1) adds a learned number to the attention score of two tokens,
which depends on the distance between them; MPNet has one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor, nn

RotaryAngles: TypeAlias = tuple[Tensor, Tensor]
"""Cosine and sine, each [tokens, 1, head_size / 2]."""
PositionBias: TypeAlias = Callable[[int], Tensor]
"""Function of a length that returns [heads or 1, length, length]: what is added to the score of each query and key."""

_FARTHEST = 128
"""Distance from which on all tokens share the last bucket of a relative position bias."""
_HIDDEN = -1e9
"""Bias of a key outside of a window; finite, as a row of padding whose keys are all hidden must not become NaN."""


@dataclass(frozen=True, slots=True)
class AttentionPositions:
    """What the attention of one layer knows of the positions of a batch's tokens.

    Attributes:
        angles: the rotary angles of the tokens; None without rotary positions.
        bias: what is added to the attention scores; None to add nothing.
    """

    angles: RotaryAngles | None = None
    bias: PositionBias | None = None


NO_POSITIONS = AttentionPositions()
"""For attention that knows nothing of positions beyond what the embedding has added."""


class RelativePositionBias(nn.Module):
    """A learned bias for each head and each bucket of distances, which all layers share.

    Half of the buckets are for keys after the query. Of each half the first half are for one distance each, and the
    others for ranges of distances that grow logarithmically up to 128 tokens.

    Args:
        buckets: number of buckets, a multiple of 4.
        heads: number of attention heads.
    """

    def __init__(self, buckets: int, heads: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(buckets, heads))

    def forward(self, length: int) -> Tensor:
        """Return the bias of each query and key of a sequence, [heads, length, length]."""
        positions = torch.arange(length, device=self.weight.device)
        buckets = relative_position_buckets(positions[None, :] - positions[:, None], len(self.weight))
        return self.weight[buckets].permute(2, 0, 1)


def relative_position_buckets(distances: Tensor, buckets: int) -> Tensor:
    """Return the bucket of each distance, int64 [...].

    Args:
        distances: int64 [...], the position of a key minus the position of its query.
        buckets: number of buckets, a multiple of 4.
    """
    half, exact = buckets // 2, buckets // 4
    steps = distances.abs()
    growth = torch.log(steps.clamp(min=1).float() / exact) / math.log(_FARTHEST / exact)
    far = (exact + (growth * (half - exact)).long()).clamp(max=half - 1)
    return half * (distances > 0).long() + torch.where(steps < exact, steps, far)


def bias_of_heads(bias: PositionBias, heads: Sequence[int]) -> PositionBias:
    """Return the bias of some of the heads alone, for a layer from which the others were pruned.

    Args:
        bias: the bias of all heads.
        heads: the heads that the layer has.
    """
    return lambda length: bias(length)[list(heads)]


def window_bias(length: int, reach: int, device: torch.device | None = None) -> Tensor:
    """Return a bias that hides keys outside of a window: 0 inside and -1e9 outside, [1, length, length].

    Args:
        length: number of tokens of the sequence.
        reach: number of tokens on each side of a query that it sees.
        device: where the bias is made; None for the CPU.
    """
    positions = torch.arange(length, device=device)
    outside = (positions[None, :] - positions[:, None]).abs() > reach
    return torch.zeros(length, length, device=device).masked_fill_(outside, _HIDDEN)[None]


def rotary_angles(starts: Tensor, head_size: int, base: float) -> RotaryAngles:
    """Return the cosine and sine of every token's rotary angles, float32 [tokens, 1, head_size / 2] each.

    The angle of pair i is the token's position in its sequence times base^(-2i / head_size).

    Args:
        starts: int [sequences + 1], where sequences start.
        head_size: width of an attention head.
        base: base of the angles.
    """
    lengths = (starts[1:] - starts[:-1]).long()
    positions = torch.arange(int(starts[-1]), device=starts.device) - starts[:-1].long().repeat_interleave(lengths)
    pairs = torch.arange(head_size // 2, device=starts.device, dtype=torch.float32)
    angles = positions[:, None] * base ** (-2 * pairs / head_size)
    return angles.cos()[:, None], angles.sin()[:, None]


def rotate(x: Tensor, angles: RotaryAngles) -> Tensor:
    """Rotate queries or keys by the rotary angles of their tokens; return the same shape.

    Args:
        x: [tokens, heads, head_size]; dimensions i and i + head_size / 2 are a pair.
        angles: cosine and sine, as `rotary_angles` returns them.
    """
    cosine, sine = (part.to(x.dtype) for part in angles)
    first, second = x.chunk(2, dim=-1)
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)
