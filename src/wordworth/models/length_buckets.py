"""Pad packed sequences of similar length into rectangles and back; only attention needs padding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

_FEWEST = 8


@dataclass(frozen=True, slots=True)
class Bucket:
    """Sequences of a batch that are padded to one length.

    Attributes:
        tokens: int64 [tokens], indices of the bucket's tokens in the batch, sequence by sequence; a slice if
            contiguous.
        count: number of sequences.
        length: padded length.
        positions: int64 [tokens], flat index of each token in the rectangle [count, length]; None without padding.
        padding_mask: bool [count, length], true for padding; None without padding.
    """

    tokens: slice | Tensor
    count: int
    length: int
    positions: Tensor | None = None
    padding_mask: Tensor | None = None

    def padded(self, values: Tensor) -> Tensor:
        """Pad the values of a bucket's tokens with zeros.

        Args:
            values: [tokens of the bucket, heads, size].

        Returns:
            [sequences, heads, length, size].
        """
        rectangle = values if self.positions is None else scatter_rows(values, self.positions, self.count * self.length)
        return rectangle.view(self.count, self.length, *values.shape[1:]).transpose(1, 2)

    def unpadded(self, values: Tensor) -> Tensor:
        """Remove the padding from the values of a bucket's tokens.

        Args:
            values: [sequences, length, heads, size].

        Returns:
            [tokens of the bucket, heads, size].
        """
        flat = values.flatten(0, 1)
        return flat if self.positions is None else gather_rows(flat, self.positions)


class PackedLayout:
    """Where each sequence of a packed batch begins and ends, and its buckets; computed once for all layers.

    Args:
        starts: int32 [sequences + 1]; sequence i is the tokens [starts[i], starts[i + 1]), possibly none.
    """

    def __init__(self, starts: Tensor) -> None:
        self.starts = starts
        self._buckets: dict[tuple[int, int | None], list[Bucket]] = {}

    @cached_property
    def bounds(self) -> list[int]:
        """The index of the first token of each sequence, then the number of tokens, as Python ints.

        On a GPU, the first access waits until the GPU has finished.
        """
        starts: list[int] = self.starts.tolist()
        return starts

    @cached_property
    def longest(self) -> int:
        """Number of tokens of the longest sequence."""
        return max((end - start for start, end in pairwise(self.bounds)), default=0)

    def buckets(self, round_to: int = 1, max_area: int | None = None) -> list[Bucket]:
        """Return the buckets of the batch's sequences, as `length_buckets` makes them; cached for later calls.

        Args:
            round_to: lengths are padded to a multiple of this number.
            max_area: limit on a bucket's number of sequences times the square of their padded length, as in
                `length_buckets`; None for no limit.
        """
        if (round_to, max_area) not in self._buckets:
            self._buckets[round_to, max_area] = length_buckets(self.bounds, self.starts.device, round_to, max_area)
        return self._buckets[round_to, max_area]


def length_buckets(
    bounds: Sequence[int], device: torch.device, round_to: int = 1, max_area: int | None = None
) -> list[Bucket]:
    """Group sequences into buckets of one length, rounded up to a multiple of `round_to`; empty sequences are left out.

    In a batch that is sorted by length, or has a single length, the tokens of each bucket are contiguous. The buckets
    are then in the order of the tokens.

    Args:
        bounds: [sequences + 1]; sequence i is the tokens [bounds[i], bounds[i + 1]).
        device: device of the buckets' tensors.
        round_to: lengths are rounded up to a multiple of `round_to`; 1 groups equal lengths only, without padding.
        max_area: limit on a bucket's number of sequences times the square of their padded length, which is the number
            of entries of its attention matrices. A bucket of at most eight sequences may exceed it. None for no limit.
    """
    classes: dict[int, list[tuple[int, int]]] = {}
    for start, end in pairwise(bounds):
        if end > start:
            classes.setdefault(-(-(end - start) // round_to) * round_to, []).append((start, end - start))
    parts = [
        (length, members[first : first + size])
        for length, members in classes.items()
        for size in [len(members) if max_area is None else max(_FEWEST, max_area // length**2)]
        for first in range(0, len(members), size)
    ]
    return sorted((_bucket(members, length, device) for length, members in parts), key=_first)


def split_by_bucket(values: Tensor, buckets: list[Bucket]) -> Iterable[Tensor]:
    """Return for each bucket the values of its tokens, [tokens of the bucket, ...].

    Args:
        values: [tokens, ...], the values of all tokens of a batch.
        buckets: the buckets of the batch.
    """
    if _in_order(buckets):
        return torch.split(values, [_size(bucket) for bucket in buckets])
    positions = torch.arange(len(values), device=values.device)
    return [gather_rows(values, positions[bucket.tokens]) for bucket in buckets]


def merge_buckets(parts: list[Tensor], buckets: list[Bucket], like: Tensor) -> Tensor:
    """Put the rows of all buckets back into the order of the batch, [tokens, ...]: the inverse of `split_by_bucket`.

    Args:
        parts: the rows of each bucket, [tokens of the bucket, ...].
        buckets: the buckets.
        like: a tensor, [n, ...]; a result without tokens has its dtype and device, and the shape [0, ...].
    """
    merged = parts[0] if len(parts) == 1 else torch.cat([like[:0], *parts])
    if _in_order(buckets):
        return merged
    positions = torch.arange(len(merged), device=merged.device)
    return scatter_rows(merged, torch.cat([positions[bucket.tokens] for bucket in buckets]), len(merged))


def _in_order(buckets: list[Bucket]) -> bool:
    return all(isinstance(bucket.tokens, slice) for bucket in buckets)


def _size(bucket: Bucket) -> int:
    return int(bucket.tokens.stop - bucket.tokens.start) if isinstance(bucket.tokens, slice) else len(bucket.tokens)


def _first(bucket: Bucket) -> int:
    return int(bucket.tokens.start) if isinstance(bucket.tokens, slice) else -1


def _bucket(members: list[tuple[int, int]], longest: int, device: torch.device) -> Bucket:
    """Build a bucket of sequences, each (first token, length), in the order of the batch."""
    (first, _), (last, final), count = members[0], members[-1], len(members)
    lengths = [length for _, length in members]
    num_tokens = sum(lengths)
    indices, padding = _padding(lengths, longest, device) if num_tokens < count * longest else (None, None)
    tokens = slice(first, first + num_tokens) if last + final - first == num_tokens else _rows(members, device)
    return Bucket(tokens, count, longest, indices, padding)


def _padding(lengths: list[int], longest: int, device: torch.device) -> tuple[Tensor, Tensor]:
    padding = torch.arange(longest)[None] >= torch.tensor(lengths)[:, None]
    return (~padding).flatten().nonzero()[:, 0].to(device), padding.to(device)


def _rows(members: list[tuple[int, int]], device: torch.device) -> Tensor:
    return torch.cat([torch.arange(start, start + length) for start, length in members]).to(device)


class _Scatter(torch.autograd.Function):
    """Scatter rows to distinct indices of a larger table. Its gradient is a gather, which autograd cannot know."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, indices: Tensor, rows: int) -> Tensor:  # noqa: ANN401 - torch's context
        ctx.save_for_backward(indices)
        return values.new_zeros(rows, *values.shape[1:]).index_copy_(0, indices, values)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:  # noqa: ANN401 - torch's context
        return grad.index_select(0, *ctx.saved_tensors), None, None


class _Gather(torch.autograd.Function):
    """Gather the rows at distinct indices. Its gradient copies, where autograd would have to add."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, indices: Tensor) -> Tensor:  # noqa: ANN401 - torch's context
        ctx.save_for_backward(indices)
        ctx.rows = len(values)
        return values.index_select(0, indices)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:  # noqa: ANN401 - torch's context
        (indices,) = ctx.saved_tensors
        return grad.new_zeros(ctx.rows, *grad.shape[1:]).index_copy_(0, indices, grad), None


def scatter_rows(values: Tensor, positions: Tensor, rows: int) -> Tensor:
    """Return a tensor of zeros, [rows, ...], with each value at its position.

    Args:
        values: [n, ...].
        positions: int64 [n], the index of each value's row in the result; no two are equal.
        rows: number of rows of the result.
    """
    result: Tensor = _Scatter.apply(values, positions, rows)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
    return result


def gather_rows(values: Tensor, positions: Tensor) -> Tensor:
    """Return the rows at given positions, [n, ...].

    Args:
        values: [rows, ...].
        positions: int64 [n], the indices of the rows to return; no two are equal.
    """
    result: Tensor = _Gather.apply(values, positions)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
    return result
