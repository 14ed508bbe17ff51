"""Attention over slots: sequences of one length together, two plain batched products around an exponential.

The twin of `wordworth.models.attention.attend_reference`. A softmax spends its time finding maxima and dividing
squares; here exponentials are taken as they are and each token's gathered values, 32 or 64 numbers, are divided by
their sum. Where that would leave the range of numbers, a plain softmax answers instead. In bfloat16 torch's own kernel
is faster for lengths that are multiples of 16.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from wordworth.models.cpu_inference.padded_layout import Group, Slots

_LARGEST = 1e35
_SMALLEST = 1e-35
_LANES = 16
"""Numbers that torch's own kernel takes an exponential of at once; what is left over it takes one by one."""


def attention(qkv: Tensor, slots: Slots, heads: int) -> Tensor:
    """[total, width] from queries (scaled already), keys and values side by side, [total, 3 * width]."""
    gathered = qkv.new_empty(len(qkv), qkv.shape[1] // 3)
    for group in slots.groups:
        form = _fused if qkv.dtype == torch.bfloat16 and group.length % _LANES == 0 else _gather
        form(qkv[group.first : group.end], group, heads, gathered[group.first : group.end])
    gathered[slots.groups[-1].end if slots.groups else 0 :] = 0
    return gathered


def _gather(qkv: Tensor, group: Group, heads: int, out: Tensor) -> None:
    number, length = group.number, group.length
    size = out.shape[1] // heads
    parts = qkv.view(number, length, 3, heads, size).permute(2, 0, 3, 1, 4)
    q, k, v = parts.reshape(3, number * heads, length, size)
    kept = None
    if group.kept is not None:
        kept = group.kept[:, None].expand(number, heads, length, 1).reshape(number * heads, length, 1)
        v *= kept
    weights = torch.bmm(q, k.transpose(1, 2)).exp_()  # in place: half as much goes through the cache
    total = weights.sum(-1, keepdim=True) if kept is None else torch.bmm(weights, kept)
    least, most = total.aminmax()
    if not (least > _SMALLEST and most < _LARGEST):
        weights, total = _softmax(torch.bmm(q, k.transpose(1, 2)), kept)
    values = torch.bmm(weights, v).view(number, heads, length, size)
    place = out.view(number, length, heads, size).transpose(1, 2)
    torch.div(values, total.view(number, heads, length, 1), out=place)


def _fused(qkv: Tensor, group: Group, heads: int, out: Tensor) -> None:
    number, length = group.number, group.length
    shape = (number, length, heads, out.shape[1] // heads)
    q, k, v = (part.view(shape).transpose(1, 2) for part in qkv.chunk(3, dim=1))
    out.view(shape).copy_(scaled_dot_product_attention(q, k, v, attn_mask=group.away, scale=1.0).transpose(1, 2))


def _softmax(scores: Tensor, kept: Tensor | None) -> tuple[Tensor, Tensor]:
    """Weights that sum to one over what is kept, and those sums."""
    if kept is not None:
        scores = scores.masked_fill(kept.transpose(1, 2) == 0, -torch.inf)
    weights = scores.softmax(-1)
    return weights, torch.ones_like(weights[..., :1])
