"""Attention over a padded layout: sequences of one length together, two plain products around an exponential.

Equivalent to `wordworth.models.attention.attend_reference`. A softmax spends its time finding maxima and dividing
[length, length] matrices; here exponentials are taken without subtracting the maximum, and each token's output, 32 or
64 numbers, is divided by their sum. If that would overflow or underflow, a plain softmax runs instead. In bfloat16
torch's own kernel is faster for lengths that are multiples of 16.

oneDNN compiles a kernel for every new shape, which costs more than running it. So the number of rows of a batch is
rounded up. In bfloat16 oneDNN also computes the matrix products of attention. The length of each sequence is then
rounded up too, and the number of sequences attended together is a power of two, so that about a hundred shapes serve
all texts. In float32 the kernel of these products does not depend on the shape, and sequences are not padded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from wordworth.models.attention_positions import PositionBias
from wordworth.models.length_batching import rows_of

_LARGEST = 1e35
_SMALLEST = 1e-35
_LANES = 16
"""Number of exponentials that torch's own kernel computes at once; the remainder of a row is computed one by one."""


def attention(qkv: Tensor, layout: PaddedLayout, heads: int, bias: PositionBias | None = None) -> Tensor:
    """Compute multi-head self-attention over a padded layout; return [total, width].

    Args:
        qkv: queries (already scaled), keys and values side by side, [total, 3 * width].
        layout: the rows of each sequence's tokens and of the padding.
        heads: number of attention heads.
        bias: what is added to the attention scores of a sequence, from its padded length, in the dtype of `qkv`; None
            to add nothing.
    """
    gathered = qkv.new_empty(len(qkv), qkv.shape[1] // 3)
    for group in layout.groups:
        kernel = _fused if qkv.dtype == torch.bfloat16 and group.length % _LANES == 0 else _by_products
        added = None if bias is None else bias(group.length)
        kernel(qkv[group.first : group.end], group, heads, added, gathered[group.first : group.end])
    gathered[layout.groups[-1].end if layout.groups else 0 :] = 0
    return gathered


def _by_products(qkv: Tensor, group: Group, heads: int, bias: Tensor | None, out: Tensor) -> None:
    """Attend by two batched products, writing into `out` [rows of the group, width]."""
    sequences, length = group.number, group.length
    size = out.shape[1] // heads
    parts = qkv.view(sequences, length, 3, heads, size).permute(2, 0, 3, 1, 4)
    q, k, v = parts.reshape(3, sequences * heads, length, size)
    mask = None
    if group.is_token is not None:
        mask = group.is_token[:, None].expand(sequences, heads, length, 1).reshape(sequences * heads, length, 1)
        v *= mask
    weights = _scores(q, k, bias).exp_()  # in place: halves the cache traffic
    total = weights.sum(-1, keepdim=True) if mask is None else torch.bmm(weights, mask)
    least, most = total.aminmax()
    if not (least > _SMALLEST and most < _LARGEST):
        weights, total = _softmax(_scores(q, k, bias), mask)
    values = torch.bmm(weights, v).view(sequences, heads, length, size)
    target = out.view(sequences, length, heads, size).transpose(1, 2)
    torch.div(values, total.view(sequences, heads, length, 1), out=target)


def _scores(q: Tensor, k: Tensor, bias: Tensor | None) -> Tensor:
    """Return attention scores, [sequences * heads, length, length], from queries and keys of as many rows."""
    scores = torch.bmm(q, k.transpose(1, 2))
    if bias is not None:
        scores.view(-1, *bias.shape).add_(bias)
    return scores


def _fused(qkv: Tensor, group: Group, heads: int, bias: Tensor | None, out: Tensor) -> None:
    """Attend by torch's own kernel, writing into `out` [rows of the group, width]."""
    sequences, length = group.number, group.length
    shape = (sequences, length, heads, out.shape[1] // heads)
    q, k, v = (part.view(shape).transpose(1, 2) for part in qkv.chunk(3, dim=1))
    masks = [mask for mask in (group.padding_mask, bias) if mask is not None]
    mask = sum(masks[1:], masks[0]) if masks else None
    out.view(shape).copy_(scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=1.0).transpose(1, 2))


def _softmax(scores: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Return attention weights that sum to 1 over the keys that are not padding, and their sums, all 1."""
    if mask is not None:
        scores = scores.masked_fill(mask.transpose(1, 2) == 0, -torch.inf)
    weights = scores.softmax(-1)
    return weights, torch.ones_like(weights[..., :1])


_FEWEST_ROWS = 16
_STEP = 64
_TOGETHER = 1024
"""Maximal number of bytes of a column of a group: the attention scores of a larger group exceed the fastest cache."""


_FAR = 1e35
"""Subtracted from the scores of padding, whose exponential is then 0; still finite in bfloat16."""


@dataclass(frozen=True, slots=True)
class Group:
    """Consecutive sequences of a padded matrix with the same number of rows; their attention is computed together.

    Attributes:
        first: index of the row of the padded matrix where the first sequence begins.
        number: number of sequences.
        length: number of rows of each sequence, padding included.
        is_token: [number, length, 1], 1 where a row holds a token, 0 for padding; None without padding.
        padding_mask: [number, 1, 1, length], is added to scores: a large negative number for padding, 0 for tokens;
            None without padding.
    """

    first: int
    number: int
    length: int
    is_token: Tensor | None
    padding_mask: Tensor | None

    @property
    def end(self) -> int:
        """Index one past the group's last row."""
        return self.first + self.number * self.length


@dataclass(frozen=True, slots=True)
class PaddedLayout:
    """The assignment of a batch's tokens to the rows of a padded matrix, for attention over sequences of equal length.

    Attributes:
        total: number of rows, padding included.
        rows: int64 [tokens], the index of each token's row.
        groups: the sequences, grouped by their number of rows, in the order of the rows.
    """

    total: int
    rows: Tensor
    groups: tuple[Group, ...]

    def scatter(self, tokens: Tensor, dtype: torch.dtype) -> Tensor:
        """Return a padded matrix, [total, d]: the vectors of tokens, and zeros as padding.

        Args:
            tokens: the vectors, [tokens, d].
            dtype: the dtype of the result.
        """
        return tokens.new_zeros(self.total, tokens.shape[1], dtype=dtype).index_copy_(0, self.rows, tokens.to(dtype))

    def gather(self, rows: Tensor) -> Tensor:
        """Return the rows of the tokens, [tokens, d], of a padded matrix [total, d]."""
        return rows.index_select(0, self.rows)


def padded_layout(starts: Tensor, dtype: torch.dtype) -> PaddedLayout:
    """Return the padded layout of packed sequences.

    Args:
        starts: [sequences + 1], the index of the first token of each sequence, and at the end the number of tokens.
        dtype: the dtype of the masks.
    """
    bounds = starts.numpy().astype(np.int64)
    lengths = np.diff(bounds)
    padded_lengths = lengths if dtype == torch.float32 else np.array([*map(rows_of, lengths.tolist())], np.int64)
    order = np.argsort(padded_lengths, kind="stable")
    firsts = np.zeros_like(lengths)
    firsts[order] = np.cumsum(padded_lengths[order]) - padded_lengths[order]
    rows = np.repeat(firsts - bounds[:-1], lengths) + np.arange(bounds[-1])
    groups = [
        group
        for length in np.unique(padded_lengths).tolist()
        if length
        for group in _groups(
            lengths[order][padded_lengths[order] == length], int(firsts[padded_lengths == length].min()), length, dtype
        )
    ]
    return PaddedLayout(_round(int(padded_lengths.sum())), torch.from_numpy(rows), tuple(groups))


def _groups(lengths: np.ndarray, first: int, length: int, dtype: torch.dtype) -> Iterator[Group]:
    """Yield the sequences of `length` rows each, from row `first` on, in groups that fit the cache."""
    limit, num_done = max(1, _TOGETHER // dtype.itemsize // length), 0
    while num_done < len(lengths):
        number = min(len(lengths) - num_done, limit)
        if dtype != torch.float32:
            number = 1 << (number.bit_length() - 1)
        masks = _masks(lengths[num_done : num_done + number], length, dtype)
        yield Group(first + num_done * length, number, length, *masks)
        num_done += number


def _masks(lengths: np.ndarray, length: int, dtype: torch.dtype) -> tuple[Tensor, Tensor] | tuple[None, None]:
    """Return `is_token` and `padding_mask` of a `Group`; (None, None) without padding."""
    if (lengths == length).all():
        return None, None
    mask = torch.from_numpy(np.arange(length) < lengths[:, None]).to(dtype)
    return mask[:, :, None], (mask[:, None, None, :] - 1) * _FAR


def _round(rows: int) -> int:
    """Round a number of rows up: to a power of two, at least 16, or above 64 to a multiple of 64."""
    if rows <= _FEWEST_ROWS:
        return _FEWEST_ROWS
    return 1 << (rows - 1).bit_length() if rows <= _STEP else -(-rows // _STEP) * _STEP
