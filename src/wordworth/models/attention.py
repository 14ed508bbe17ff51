"""The one door to attention (Vaswani et al. 2017, equation 1) for packed sequences.

`attend` looks only at where sequences start. Behind it stand two forms of the same sum: `written_out` is the
specification and the one that taps see, `in_groups` multiplies many sequences at once.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.models.length_groups import Group, joined, length_groups, parted
from wordworth.models.taps import Taps, passing

Drop = Callable[[Tensor], Tensor]
GRAIN, TOGETHER = 32, 8
"""In training, lengths are rounded up to this for the products, and so many sequences go into one on a processor: their
probabilities fit its cache, and few shapes of products occur, each of which it writes machine code for."""


def attend(  # noqa: PLR0913 - the one door: three inputs, their bounds, and what may be asked of it
    q: Tensor,
    k: Tensor,
    v: Tensor,
    starts: Tensor,
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
        starts: int32 [sequences + 1]; sequence i is the tokens from starts[i] to starts[i + 1], possibly none.
        causal: a token sees itself and those before it only.
        taps: when they ask for `probabilities`, the plain form answers.
        head_scale: [heads], each head's share of the result; 0 removes a head.
        dropout: what drops probabilities in training.

    Returns:
        [tokens, heads, head_size] in the type of `v`. Softmax of q.k / sqrt(head_size) weighs the values; a sequence
        without tokens gives no rows and no NaN.
    """
    if taps is not None and taps.wants("probabilities"):
        heads = written_out(q, k, v, starts, causal=causal, dropout=dropout, taps=taps)
    else:
        grain = GRAIN if torch.is_grad_enabled() and q.requires_grad else 1
        heads = in_groups(q, k, v, starts, causal=causal, dropout=dropout, grain=grain)
    heads = heads if head_scale is None else heads * head_scale[:, None]
    return passing(taps, "heads", heads)


def written_out(  # noqa: PLR0913 - as `attend`
    q: Tensor, k: Tensor, v: Tensor, starts: Tensor, *, causal: bool, dropout: Drop | None, taps: Taps | None = None
) -> Tensor:
    """One sequence at a time, every step in the open: the specification of the other forms."""
    heads = [v[:0]]
    for start, end in pairwise(starts.tolist()):
        query, key, value = (part[start:end].transpose(0, 1) for part in (q, k, v))
        scores = (query * float(query.shape[-1]) ** -0.5) @ key.transpose(-1, -2)
        if causal:
            scores = scores.masked_fill(_ahead(end - start, scores), -torch.inf)
        weights = passing(taps, "probabilities", scores.softmax(-1))
        weights = weights if dropout is None else dropout(weights)
        heads.append((weights @ value).transpose(0, 1))
    return torch.cat(heads)


def in_groups(  # noqa: PLR0913 - as `attend`
    q: Tensor, k: Tensor, v: Tensor, starts: Tensor, *, causal: bool, dropout: Drop | None, grain: int = 1
) -> Tensor:
    """All sequences of a like length at once: two batched products around a softmax.

    Args:
        q: as in `attend`.
        k: as in `attend`.
        v: as in `attend`.
        starts: as in `attend`.
        causal: as in `attend`.
        dropout: as in `attend`.
        grain: what lengths are rounded up to; padding inside the products is never seen. 1 for equal lengths only.
    """
    groups = length_groups(starts, grain, TOGETHER if grain > 1 and not q.is_cuda else None)
    heads = [
        _group(query, key, value, group, causal=causal, dropout=dropout)
        for group, query, key, value in zip(groups, *(parted(part, groups) for part in (q, k, v)), strict=True)
    ]
    return joined(heads, groups, v)


def _group(q: Tensor, k: Tensor, v: Tensor, group: Group, *, causal: bool, dropout: Drop | None) -> Tensor:
    """What the tokens of one group gather, [its tokens, heads, head_size]."""
    query, key, value = (group.padded(part) for part in (q, k, v))
    if q.is_cuda and not _acts(dropout):
        return group.unpadded(fused(query, key, value, group.beyond, causal=causal).transpose(1, 2))
    weights = _probabilities(query, key, group.beyond, causal=causal)
    weights = weights if dropout is None else dropout(weights)
    return group.unpadded((weights @ value).transpose(1, 2))


def fused(query: Tensor, key: Tensor, value: Tensor, beyond: Tensor | None, *, causal: bool) -> Tensor:
    """One kernel that never holds the probabilities (Dao et al. 2022): a GPU's memory is slow beside its products.

    On a processor the two plain products are faster, above all backward.

    Args:
        query: [sequences, heads, length, head_size]; `key` and `value` likewise.
        key: likewise.
        value: likewise.
        beyond: bool [sequences, length], keys that are padding; None where there are none.
        causal: as in `attend`.
    """
    seen = None if beyond is None else ~beyond[:, None, None, :]
    if seen is not None and causal:
        seen = seen & ~_ahead(query.shape[-2], query)
    return functional.scaled_dot_product_attention(query, key, value, attn_mask=seen, is_causal=causal and seen is None)


def _acts(dropout: Drop | None) -> bool:
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
