"""The one door to attention (Vaswani et al. 2017, equation 1) for packed sequences.

`attend` looks only at where sequences start. Behind it stand two forms of the same sum: `written_out` is the
specification and the one that taps see, `in_buckets` multiplies all sequences of one length at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional

from wordworth.models.taps import Taps, passing


def attend(  # noqa: PLR0913 - the one door: three inputs, their bounds, and what may be asked of it
    q: Tensor,
    k: Tensor,
    v: Tensor,
    starts: Tensor,
    *,
    causal: bool = False,
    taps: Taps | None = None,
    head_scale: Tensor | None = None,
    dropout: float = 0.0,
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
        dropout: rate at which probabilities are dropped; 0 outside training.

    Returns:
        [tokens, heads, head_size] in the type of `v`. Softmax of q.k / sqrt(head_size) weighs the values; a sequence
        without tokens gives no rows and no NaN.
    """
    if taps is not None and taps.wants("probabilities"):
        heads = written_out(q, k, v, starts, causal=causal, dropout=dropout, taps=taps)
    else:
        heads = in_buckets(q, k, v, starts, causal=causal, dropout=dropout)
    heads = heads if head_scale is None else heads * head_scale[:, None]
    return passing(taps, "heads", heads)


def written_out(  # noqa: PLR0913 - as `attend`
    q: Tensor, k: Tensor, v: Tensor, starts: Tensor, *, causal: bool, dropout: float, taps: Taps | None = None
) -> Tensor:
    """One sequence at a time, every step in the open: the specification of the other forms."""
    bounds = starts.tolist()
    heads = [v[:0]]
    for start, end in pairwise(bounds):
        query, key, value = (part[start:end].transpose(0, 1) for part in (q, k, v))
        weights = passing(taps, "probabilities", _probabilities(query, key, causal=causal))
        weights = functional.dropout(weights, dropout, training=dropout > 0)
        heads.append((weights @ value).transpose(0, 1))
    return torch.cat(heads)


def in_buckets(q: Tensor, k: Tensor, v: Tensor, starts: Tensor, *, causal: bool, dropout: float) -> Tensor:
    """All sequences of one length at once: two batched products around a softmax."""
    heads, places = [v[:0]], []
    for length, rows in _buckets(starts):
        shape = (-1, length, *q.shape[1:])
        query, key, value = (part[rows].view(shape).transpose(1, 2) for part in (q, k, v))
        weights = _probabilities(query, key, causal=causal)
        weights = functional.dropout(weights, dropout, training=dropout > 0)
        heads.append((weights @ value).transpose(1, 2).flatten(0, 1))
        places.append(rows)
    if all(isinstance(rows, slice) for rows in places):
        return torch.cat(heads)
    order = torch.cat([torch.arange(len(q))[rows] if isinstance(rows, slice) else rows for rows in places])
    return torch.cat(heads)[order.argsort()]


def _probabilities(query: Tensor, key: Tensor, *, causal: bool) -> Tensor:
    """Softmax over keys, [..., length, length]; each row sums to 1."""
    scores: Tensor = (query * float(query.shape[-1]) ** -0.5) @ key.transpose(-1, -2)
    if causal:
        length = scores.shape[-1]
        ahead = torch.ones(length, length, dtype=torch.bool, device=scores.device).triu(1)
        scores = scores.masked_fill(ahead, -torch.inf)
    return scores.softmax(-1)


def _buckets(starts: Tensor) -> Iterator[tuple[int, slice | Tensor]]:
    """Each length there is, with the tokens of its sequences: a slice where they stand together.

    When all come as slices they come in the order of the tokens.
    """
    bounds = starts.tolist()
    members: dict[int, list[int]] = {}
    for start, end in pairwise(bounds):
        if end > start:
            members.setdefault(end - start, []).append(start)
    for length, firsts in members.items():
        if firsts[-1] - firsts[0] == length * (len(firsts) - 1):
            yield length, slice(firsts[0], firsts[-1] + length)
        else:
            rows = torch.tensor(firsts, device=starts.device)[:, None] + torch.arange(length, device=starts.device)
            yield length, rows.flatten()
