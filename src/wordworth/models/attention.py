"""The one door to attention (Vaswani et al. 2017, equation 1) for packed sequences.

`attend` looks only at where sequences start. Behind it stand three forms of the same sum: `attend_reference` is the
specification and the one that taps see, `attend_bucketed` multiplies many sequences at once, and `attend_varlen` takes
a packed batch as it is, on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.models.dropout import Dropout
from wordworth.models.length_buckets import Bucket, PackedLayout, merge_buckets, split_by_bucket
from wordworth.models.taps import Taps, passing

Drop = Callable[[Tensor], Tensor]
GRAIN, AREA = 32, 8 * 128 * 128
"""In training, lengths are rounded up to the one for the products; the probabilities of a head that go into one product
on a processor are the other at most (and never fewer than eight sequences'): they fit its cache, and few shapes of
products occur, each of which it writes machine code for."""


def attend(  # noqa: PLR0913 - the one door: three inputs, their bounds, and what may be asked of it
    q: Tensor,
    k: Tensor,
    v: Tensor,
    sequences: PackedLayout,
    *,
    causal: bool = False,
    taps: Taps | None = None,
    head_scale: Tensor | None = None,
    dropout: Drop | None = None,
) -> Tensor:
    """What every head of every token gathers from its own sequence.

    Args:
        q: queries, [tokens, heads, head_size]; `k` and `v` likewise.
        k: keys.
        v: values.
        sequences: where each begins and ends; some may be empty.
        causal: a token sees itself and those before it only.
        taps: when they ask for `probabilities`, the plain form answers.
        head_scale: [heads], each head's share of the result; 0 removes a head.
        dropout: what drops probabilities in training.

    Returns:
        [tokens, heads, head_size] in the type of `v`. Softmax of q.k / sqrt(head_size) weighs the values; a sequence
        without tokens gives no rows and no NaN.
    """
    if taps is not None and taps.wants("probabilities"):
        heads = attend_reference(q, k, v, sequences, causal=causal, dropout=dropout, taps=taps)
    elif _suits_one_kernel(q, dropout, causal=causal):
        heads = attend_varlen(q, k, v, sequences)
    else:
        grain = GRAIN if q.is_cuda or (torch.is_grad_enabled() and q.requires_grad) else 1
        heads = attend_bucketed(q, k, v, sequences, causal=causal, dropout=dropout, grain=grain)
    heads = heads if head_scale is None else heads * head_scale[:, None]
    return passing(taps, "heads", heads)


def attend_reference(  # noqa: PLR0913 - as `attend`
    q: Tensor,
    k: Tensor,
    v: Tensor,
    sequences: PackedLayout,
    *,
    causal: bool,
    dropout: Drop | None,
    taps: Taps | None = None,
) -> Tensor:
    """One sequence at a time, every step in the open: the specification of the other forms."""
    heads = [v[:0]]
    for start, end in pairwise(sequences.bounds):
        query, key, value = (part[start:end].transpose(0, 1) for part in (q, k, v))
        scores = (query * float(query.shape[-1]) ** -0.5) @ key.transpose(-1, -2)
        if causal:
            scores = scores.masked_fill(_ahead(end - start, scores), -torch.inf)
        weights = passing(taps, "probabilities", scores.softmax(-1))
        weights = weights if dropout is None else dropout(weights)
        heads.append((weights @ value).transpose(0, 1))
    return torch.cat(heads)


def attend_bucketed(  # noqa: PLR0913 - as `attend`
    q: Tensor, k: Tensor, v: Tensor, sequences: PackedLayout, *, causal: bool, dropout: Drop | None, grain: int = 1
) -> Tensor:
    """All sequences of a like length at once: two batched products around a softmax.

    Args:
        q: as in `attend`.
        k: as in `attend`.
        v: as in `attend`.
        sequences: as in `attend`.
        causal: as in `attend`.
        dropout: as in `attend`.
        grain: what lengths are rounded up to; padding inside the products is never seen. 1 for equal lengths only.
    """
    groups = sequences.groups(grain, AREA if grain > 1 and not q.is_cuda else None)
    heads = [
        _group(query, key, value, group, causal=causal, dropout=dropout)
        for group, query, key, value in zip(groups, *(split_by_bucket(part, groups) for part in (q, k, v)), strict=True)
    ]
    return merge_buckets(heads, groups, v)


def attend_varlen(q: Tensor, k: Tensor, v: Tensor, sequences: PackedLayout) -> Tensor:
    """A GPU's kernel for packed sequences (Dao 2023, arXiv 2307.08691): no padding, no probabilities in memory."""
    from torch.nn.attention.varlen import varlen_attn  # which brings torch's compiler along: two seconds

    starts, longest = sequences.starts, sequences.longest
    found = varlen_attn(q, k, v, starts, starts, longest, longest)
    assert isinstance(found, Tensor)  # noqa: S101 - nothing else is asked for
    return found


def _suits_one_kernel(q: Tensor, dropout: Drop | None, *, causal: bool) -> bool:
    """It knows halves only, drops nothing, and how it is told of causality differs between versions of torch."""
    halves = q.dtype in {torch.bfloat16, torch.float16}
    return q.is_cuda and halves and not causal and not _is_active(dropout) and len(q) > 0 and _has_kernel()


@cache
def _has_kernel() -> bool:
    """Torch has it since 2.10; before, the groups do its work."""
    return find_spec("torch.nn.attention.varlen") is not None


def _group(q: Tensor, k: Tensor, v: Tensor, group: Bucket, *, causal: bool, dropout: Drop | None) -> Tensor:
    """What the tokens of one group gather, [its tokens, heads, head_size]."""
    query, key, value = (group.padded(part) for part in (q, k, v))
    if q.is_cuda and (not _is_active(dropout) or isinstance(dropout, Dropout)):
        rate = dropout.rate if isinstance(dropout, Dropout) and dropout.acts else 0.0
        return group.unpadded(fused(query, key, value, group.beyond, causal=causal, rate=rate).transpose(1, 2))
    weights = _probabilities(query, key, group.beyond, causal=causal)
    weights = weights if dropout is None else dropout(weights)
    return group.unpadded((weights @ value).transpose(1, 2))


def fused(
    query: Tensor, key: Tensor, value: Tensor, beyond: Tensor | None, *, causal: bool, rate: float = 0.0
) -> Tensor:
    """One kernel that never holds the probabilities (Dao et al. 2022): a GPU's memory is slow beside its products.

    On a processor the two plain products are faster, above all backward.

    Args:
        query: [sequences, heads, length, head_size]; `key` and `value` likewise.
        key: likewise.
        value: likewise.
        beyond: bool [sequences, length], keys that are padding; None where there are none.
        causal: as in `attend`.
        rate: of probabilities dropped, by torch's own draws.
    """
    seen = None if beyond is None else ~beyond[:, None, None, :]
    if seen is not None and causal:
        seen = seen & ~_ahead(query.shape[-2], query)
    whole = causal and seen is None
    return functional.scaled_dot_product_attention(query, key, value, attn_mask=seen, is_causal=whole, dropout_p=rate)


def _is_active(dropout: Drop | None) -> bool:
    """Whether probabilities are dropped, so that they must be there."""
    return dropout is not None and bool(getattr(dropout, "acts", True))


def _probabilities(query: Tensor, key: Tensor, beyond: Tensor | None, *, causal: bool) -> Tensor:
    """Softmax over keys, [sequences, heads, length, length]; each row sums to 1."""
    scores: Tensor = (query * float(query.shape[-1]) ** -0.5) @ key.transpose(-1, -2)
    if beyond is not None:
        scores = scores.masked_fill_(beyond[:, None, None, :], -torch.inf)
    if causal:
        scores = scores.masked_fill_(_ahead(scores.shape[-1], scores), -torch.inf)
    return scores.softmax(-1)


def _ahead(length: int, like: Tensor) -> Tensor:
    """Where the key stands after the query, bool [length, length]."""
    return torch.ones(length, length, dtype=torch.bool, device=like.device).triu(1)
