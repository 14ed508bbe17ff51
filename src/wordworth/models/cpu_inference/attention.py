"""Attention over slots: sequences of one length together, two plain batched products around an exponential.

Equivalent to `wordworth.models.attention.attend_reference`. A softmax spends its time finding maxima and dividing
[length, length] matrices; here exponentials are taken without subtracting the maximum, and each token's output, 32 or
64 numbers, is divided by their sum. If that would overflow or underflow, a plain softmax runs instead. In bfloat16
torch's own kernel is faster for lengths that are multiples of 16.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from wordworth.models.cpu_inference.padded_layout import Group, PaddedLayout

_LARGEST = 1e35
_SMALLEST = 1e-35
_LANES = 16
"""Width of the vectors on which torch's own kernel computes exponentials; the remainder is computed one by one."""


def attention(qkv: Tensor, layout: PaddedLayout, heads: int) -> Tensor:
    """Attend: from queries (already scaled), keys and values [total, 3 * width] to [total, width]."""
    gathered = qkv.new_empty(len(qkv), qkv.shape[1] // 3)
    for group in layout.groups:
        kernel = _fused if qkv.dtype == torch.bfloat16 and group.length % _LANES == 0 else _by_products
        kernel(qkv[group.first : group.end], group, heads, gathered[group.first : group.end])
    gathered[layout.groups[-1].end if layout.groups else 0 :] = 0
    return gathered


def _by_products(qkv: Tensor, group: Group, heads: int, out: Tensor) -> None:
    """Attend by two batched products, writing into `out` [rows of the group, width]."""
    sequences, length = group.number, group.length
    size = out.shape[1] // heads
    parts = qkv.view(sequences, length, 3, heads, size).permute(2, 0, 3, 1, 4)
    q, k, v = parts.reshape(3, sequences * heads, length, size)
    mask = None
    if group.kept is not None:
        mask = group.kept[:, None].expand(sequences, heads, length, 1).reshape(sequences * heads, length, 1)
        v *= mask
    weights = torch.bmm(q, k.transpose(1, 2)).exp_()  # in place: halves the cache traffic
    total = weights.sum(-1, keepdim=True) if mask is None else torch.bmm(weights, mask)
    least, most = total.aminmax()
    if not (least > _SMALLEST and most < _LARGEST):
        weights, total = _softmax(torch.bmm(q, k.transpose(1, 2)), mask)
    values = torch.bmm(weights, v).view(sequences, heads, length, size)
    target = out.view(sequences, length, heads, size).transpose(1, 2)
    torch.div(values, total.view(sequences, heads, length, 1), out=target)


def _fused(qkv: Tensor, group: Group, heads: int, out: Tensor) -> None:
    """Attend by torch's own kernel, writing into `out` [rows of the group, width]."""
    sequences, length = group.number, group.length
    shape = (sequences, length, heads, out.shape[1] // heads)
    q, k, v = (part.view(shape).transpose(1, 2) for part in qkv.chunk(3, dim=1))
    out.view(shape).copy_(scaled_dot_product_attention(q, k, v, attn_mask=group.away, scale=1.0).transpose(1, 2))


def _softmax(scores: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Weights that sum to 1 over the keys that are kept, and those sums."""
    if mask is not None:
        scores = scores.masked_fill(mask.transpose(1, 2) == 0, -torch.inf)
    weights = scores.softmax(-1)
    return weights, torch.ones_like(weights[..., :1])
