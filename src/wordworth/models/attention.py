"""Attention (Vaswani et al. 2017, equation 1) for packed sequences; all models call `attend`.

`attend` chooses between three implementations, which compute the same outputs. `attend_reference` is the specification,
and runs if taps (`models.activation_taps`) read or change the attention probabilities. `attend_bucketed` computes
sequences of similar length together. `attend_varlen` takes a packed batch as it is, on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.models.activation_taps import Taps, passing
from wordworth.models.attention_positions import PositionBias
from wordworth.models.dropout import Dropout
from wordworth.models.length_buckets import Bucket, PackedLayout, merge_buckets, split_by_bucket

Drop = Callable[[Tensor], Tensor]
ROUND_TO, MAX_AREA = 32, 8 * 128 * 128
"""In training, sequence lengths are rounded up to a multiple of `ROUND_TO`, so that few shapes of products occur.

oneDNN generates machine code for each shape. On a CPU a bucket has at most `MAX_AREA` attention probabilities per head,
which fit the cache; a bucket of at most eight sequences may have more.
"""
MOST_ROWS = 1024
"""Number of queries of a sequence whose attention probabilities are in memory at once, if nothing has to be learned."""
_HEAD_GRAIN, _LARGEST_HEAD, _AMPERE = 8, 256, (8, 0)
"""The kernel of `attend_varlen` needs a head size that is a multiple of 8, at most 256, and this compute capability."""


def attend(  # noqa: PLR0913 - three inputs, their bounds and the options
    q: Tensor,
    k: Tensor,
    v: Tensor,
    sequences: PackedLayout,
    *,
    causal: bool = False,
    bias: PositionBias | None = None,
    taps: Taps | None = None,
    head_scale: Tensor | None = None,
    dropout: Drop | None = None,
) -> Tensor:
    """Compute the attention of every head for every token, within each sequence.

    Args:
        q: queries, [tokens, heads, head_size].
        k: keys, [tokens, heads, head_size].
        v: values, [tokens, heads, head_size].
        sequences: where each sequence begins and ends; some may be empty.
        causal: whether a token sees only itself and the tokens before it.
        bias: what is added to the attention scores of a sequence, from its length; None to add nothing.
        taps: inner values to read or change; if `probabilities` is among them, `attend_reference` runs. None for no
            taps.
        head_scale: [heads], a factor for each head's result; 0 removes a head. Gradients flow to the factors. None
            leaves the results unchanged.
        dropout: dropout of the attention probabilities in training, or None.

    Returns:
        [tokens, heads, head_size] in the dtype of `v`: values weighted by the softmax of q.k / sqrt(head_size) + bias.
        A sequence without tokens has no rows, and causes no NaN.
    """
    if taps is not None and taps.wants("probabilities"):
        heads = attend_reference(q, k, v, sequences, causal=causal, bias=bias, dropout=dropout, taps=taps)
    elif bias is None and _suits_varlen(q, dropout):
        heads = attend_varlen(q, k, v, sequences, causal=causal, rate=_rate(dropout))
    else:
        round_to = ROUND_TO if q.is_cuda or (torch.is_grad_enabled() and q.requires_grad) else 1
        heads = attend_bucketed(q, k, v, sequences, causal=causal, bias=bias, dropout=dropout, round_to=round_to)
    heads = heads if head_scale is None else heads * head_scale.to(heads)[:, None]
    return passing(taps, "heads", heads)


def attend_reference(  # noqa: PLR0913 - as `attend`
    q: Tensor,
    k: Tensor,
    v: Tensor,
    sequences: PackedLayout,
    *,
    causal: bool,
    bias: PositionBias | None = None,
    dropout: Drop | None,
    taps: Taps | None = None,
) -> Tensor:
    """Attend one sequence at a time, step by step: the specification of the other implementations.

    Args:
        q: queries, [tokens, heads, head_size].
        k: keys, [tokens, heads, head_size].
        v: values, [tokens, heads, head_size].
        sequences: where each sequence begins and ends.
        causal: whether a token sees only itself and the tokens before it.
        bias: what is added to the attention scores of a sequence, from its length, or None.
        dropout: dropout of the attention probabilities, or None.
        taps: may read or change the attention probabilities (`probabilities`, [heads, length, length]), once per
            sequence; None for no taps.

    Returns:
        [tokens, heads, head_size], in the dtype of `v`.
    """
    heads = [v[:0]]
    for start, end in pairwise(sequences.bounds):
        query, key, value = (part[start:end].transpose(0, 1) for part in (q, k, v))
        scores = (query * float(query.shape[-1]) ** -0.5) @ key.transpose(-1, -2)
        if bias is not None:
            scores = scores + bias(end - start).to(scores.dtype)
        if causal:
            scores = scores.masked_fill(_is_later(end - start, scores.device), -torch.inf)
        weights = passing(taps, "probabilities", scores.softmax(-1))
        weights = weights if dropout is None else dropout(weights)
        heads.append((weights @ value).transpose(0, 1))
    return torch.cat(heads)


def attend_bucketed(  # noqa: PLR0913 - as `attend`
    q: Tensor,
    k: Tensor,
    v: Tensor,
    sequences: PackedLayout,
    *,
    causal: bool,
    bias: PositionBias | None = None,
    dropout: Drop | None,
    round_to: int = 1,
) -> Tensor:
    """Attend all sequences of similar length at once: two batched products around a softmax.

    Args:
        q: queries, [tokens, heads, head_size].
        k: keys, [tokens, heads, head_size].
        v: values, [tokens, heads, head_size].
        sequences: where each sequence begins and ends.
        causal: whether a token sees only itself and the tokens before it.
        bias: what is added to the attention scores of a sequence, from its length, or None.
        dropout: dropout of the attention probabilities, or None.
        round_to: each sequence is padded to a multiple of `round_to` tokens, and the padding is masked. With 1, only
            sequences of equal length are computed together.

    Returns:
        [tokens, heads, head_size], in the dtype of `v`.
    """
    buckets = sequences.buckets(round_to, MAX_AREA if round_to > 1 and not q.is_cuda else None)
    heads = [
        _attend_bucket(query, key, value, bucket, causal=causal, bias=bias, dropout=dropout)
        for bucket, query, key, value in zip(
            buckets, *(split_by_bucket(part, buckets) for part in (q, k, v)), strict=True
        )
    ]
    return merge_buckets(heads, buckets, v)


def attend_varlen(
    q: Tensor, k: Tensor, v: Tensor, sequences: PackedLayout, *, causal: bool = False, rate: float = 0.0
) -> Tensor:
    """Attend by a GPU kernel for packed sequences (Dao 2023, arXiv 2307.08691): no padding, no stored probabilities.

    `torch.nn.attention.varlen` calls the same kernel, but does not offer the kernel's dropout.

    Args:
        q: queries, [tokens, heads, head_size], in half precision; `head_size` is a multiple of 8.
        k: keys, [tokens, heads, head_size], in the dtype of `q`.
        v: values, [tokens, heads, head_size], in the dtype of `q`.
        sequences: where each sequence begins and ends.
        causal: whether a token sees only itself and the tokens before it.
        rate: dropout rate of the attention probabilities; the random numbers come from torch's generator of the GPU.

    Returns:
        [tokens, heads, head_size], in the dtype of `q`.
    """
    starts, longest = sequences.starts, sequences.longest
    heads, *_ = torch.ops.aten._flash_attention_forward(  # noqa: SLF001 - see above
        q, k, v, starts, starts, longest, longest, rate, causal, False
    )
    assert isinstance(heads, Tensor)  # noqa: S101 - torch leaves it unannotated
    return heads


def _suits_varlen(q: Tensor, dropout: Drop | None) -> bool:
    """Return whether `attend_varlen` supports the device, dtype and head size of the queries, and the dropout."""
    is_half = q.dtype in {torch.bfloat16, torch.float16}
    fits = q.shape[-1] % _HEAD_GRAIN == 0 and q.shape[-1] <= _LARGEST_HEAD
    drops = not _is_active(dropout) or isinstance(dropout, Dropout)
    return q.is_cuda and is_half and fits and drops and len(q) > 0 and _has_kernel(q.device)


@cache
def _has_kernel(device: torch.device) -> bool:
    """Return whether a GPU runs the kernel of `attend_varlen`; if not, `attend_bucketed` runs."""
    return torch.cuda.get_device_capability(device) >= _AMPERE


def _attend_bucket(  # noqa: PLR0913 - as `attend`
    q: Tensor,
    k: Tensor,
    v: Tensor,
    bucket: Bucket,
    *,
    causal: bool,
    bias: PositionBias | None,
    dropout: Drop | None,
) -> Tensor:
    """Attend within one bucket; [tokens of the bucket, heads, head_size]."""
    query, key, value = (bucket.padded(part) for part in (q, k, v))
    added = None if bias is None else bias(bucket.length).to(q.dtype)
    if q.is_cuda and (not _is_active(dropout) or isinstance(dropout, Dropout)):
        attended = fused(query, key, value, bucket.padding_mask, causal=causal, bias=added, rate=_rate(dropout))
        return bucket.unpadded(attended.transpose(1, 2))
    parts = []
    for first in range(0, bucket.length, MOST_ROWS):
        rows = slice(first, first + MOST_ROWS)
        weights = _probabilities(query, key, rows, bucket.padding_mask, causal=causal, bias=added)
        parts.append((weights if dropout is None else dropout(weights)) @ value)
    whole = parts[0] if len(parts) == 1 else torch.cat(parts, dim=-2)
    return bucket.unpadded(whole.transpose(1, 2))


def fused(  # noqa: PLR0913 - as `attend`
    query: Tensor,
    key: Tensor,
    value: Tensor,
    padding_mask: Tensor | None,
    *,
    causal: bool,
    bias: Tensor | None = None,
    rate: float = 0.0,
) -> Tensor:
    """Attend by one kernel that never stores the attention probabilities (Dao et al. 2022).

    On a GPU this is faster, since the GPU's memory is slow. On a CPU, two matrix products with a softmax between them
    are faster, above all in the backward pass.

    Args:
        query: queries, [sequences, heads, length, head_size].
        key: keys, [sequences, heads, length, head_size].
        value: values, [sequences, heads, length, head_size].
        padding_mask: bool [sequences, length], true where a key is padding; None without padding.
        causal: whether a token sees only itself and the tokens before it.
        bias: [heads or 1, length, length] in the dtype of `query`, is added to the attention scores; None to add
            nothing.
        rate: dropout rate of the attention probabilities; the random numbers come from torch's generator of the device.

    Returns:
        [sequences, heads, length, head_size], in the dtype of `query`.
    """
    visible = None if padding_mask is None else ~padding_mask[:, None, None, :]
    if causal and (visible is not None or bias is not None):
        earlier = ~_is_later(query.shape[-2], query.device)
        visible = earlier if visible is None else visible & earlier
    mask = visible
    if bias is not None:
        mask = bias if visible is None else bias.masked_fill(~visible, -torch.inf)
    is_causal = causal and mask is None
    return functional.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, is_causal=is_causal, dropout_p=rate
    )


def _rate(dropout: Drop | None) -> float:
    """Return the rate of a `Dropout` that is active, else 0."""
    return dropout.rate if isinstance(dropout, Dropout) and dropout.acts else 0.0


def _is_active(dropout: Drop | None) -> bool:
    """Return whether dropout changes the attention probabilities."""
    return dropout is not None and bool(getattr(dropout, "acts", True))


def _probabilities(
    query: Tensor, key: Tensor, rows: slice, padding_mask: Tensor | None, *, causal: bool, bias: Tensor | None
) -> Tensor:
    """Return the softmax over keys for some of the queries, [sequences, heads, rows, length]; each row sums to 1."""
    scores: Tensor = (query[..., rows, :] * float(query.shape[-1]) ** -0.5) @ key.transpose(-1, -2)
    if bias is not None:
        scores = scores.add_(bias[:, rows])
    if padding_mask is not None:
        scores = scores.masked_fill_(padding_mask[:, None, None, :], -torch.inf)
    if causal:
        scores = scores.masked_fill_(_is_later(scores.shape[-1], scores.device)[rows], -torch.inf)
    return scores.softmax(-1)


def _is_later(length: int, device: torch.device) -> Tensor:
    """Return the causal mask, bool [length of queries, length of keys]: whether the key is after the query."""
    return torch.ones(length, length, dtype=torch.bool, device=device).triu(1)
