"""Packed sequences of like length in one rectangle and back: for attention alone, nothing else needs padding."""

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
    """Some sequences of a batch.

    Attributes:
        tokens: their tokens in the batch, sequence by sequence; a slice where they stand together.
        count: how many sequences.
        length: rows that each has in the rectangle.
        places: int64 [tokens], the place of each in the rectangle [count, length]; None where none is left empty.
        beyond: bool [count, length], places without a token; None likewise.
    """

    tokens: slice | Tensor
    count: int
    length: int
    places: Tensor | None = None
    beyond: Tensor | None = None

    def padded(self, values: Tensor) -> Tensor:
        """[tokens of the group, heads, size] to [count, heads, length, size]; zeros beyond a sequence's end."""
        mine = values if self.places is None else spread(values, self.places, self.count * self.length)
        return mine.view(self.count, self.length, *values.shape[1:]).transpose(1, 2)

    def unpadded(self, values: Tensor) -> Tensor:
        """[count, length, heads, size] to [tokens of the group, heads, size]."""
        flat = values.flatten(0, 1)
        return flat if self.places is None else picked(flat, self.places)


class PackedLayout:
    """Where the sequences of a packed batch stand, as every layer asks it; what is found out is found once.

    Args:
        starts: int32 [sequences + 1]; sequence i is the tokens from starts[i] to starts[i + 1], possibly none.
    """

    def __init__(self, starts: Tensor) -> None:
        self.starts = starts
        self._groups: dict[tuple[int, int | None], list[Bucket]] = {}

    @cached_property
    def bounds(self) -> list[int]:
        """The starts as plain numbers; a GPU is waited for."""
        found: list[int] = self.starts.tolist()
        return found

    @cached_property
    def longest(self) -> int:
        """Tokens of the longest sequence."""
        return max((end - start for start, end in pairwise(self.bounds)), default=0)

    def groups(self, grain: int = 1, area: int | None = None) -> list[Bucket]:
        """As `length_groups`."""
        if (grain, area) not in self._groups:
            self._groups[grain, area] = length_groups(self.bounds, self.starts.device, grain, area)
        return self._groups[grain, area]


def length_groups(bounds: Sequence[int], device: torch.device, grain: int = 1, area: int | None = None) -> list[Bucket]:
    """Sequences in groups of one length, each rounded up to a multiple of `grain`; empty ones are in none.

    When all groups' tokens are slices, they come in the order of the tokens: so it is for a batch that is sorted by
    length or holds one length only.

    Args:
        bounds: [sequences + 1]; sequence i is the tokens from bounds[i] to bounds[i + 1].
        device: where the groups' tensors are wanted.
        grain: 1 for equal lengths only, without padding.
        area: sequences times squared length of a group at most, though eight sequences are always allowed. A few
            shapes that come again and again, with a grain, spare the processor from writing new machine code for the
            products of every step.
    """
    classes: dict[int, list[tuple[int, int]]] = {}
    for start, end in pairwise(bounds):
        if end > start:
            classes.setdefault(-(-(end - start) // grain) * grain, []).append((start, end - start))
    parts = [
        (length, members[place : place + size])
        for length, members in classes.items()
        for size in [len(members) if area is None else max(_FEWEST, area // length**2)]
        for place in range(0, len(members), size)
    ]
    return sorted((_group(members, length, device) for length, members in parts), key=_first)


def split_by_bucket(values: Tensor, groups: list[Bucket]) -> Iterable[Tensor]:
    """The part of each group, [its tokens, ...], of values [tokens, ...]."""
    if _in_order(groups):
        return torch.split(values, [_size(group) for group in groups])
    here = torch.arange(len(values), device=values.device)
    return [picked(values, here[group.tokens]) for group in groups]


def merge_buckets(parts: list[Tensor], groups: list[Bucket], like: Tensor) -> Tensor:
    """[tokens, ...] of the parts of each group: undoes `split_by_bucket`; without groups, no rows of `like`."""
    whole = parts[0] if len(parts) == 1 else torch.cat([like[:0], *parts])
    if _in_order(groups):
        return whole
    here = torch.arange(len(whole), device=whole.device)
    return spread(whole, torch.cat([here[group.tokens] for group in groups]), len(whole))


def _in_order(groups: list[Bucket]) -> bool:
    return all(isinstance(group.tokens, slice) for group in groups)


def _size(group: Bucket) -> int:
    return int(group.tokens.stop - group.tokens.start) if isinstance(group.tokens, slice) else len(group.tokens)


def _first(group: Bucket) -> int:
    return int(group.tokens.start) if isinstance(group.tokens, slice) else -1


def _group(members: list[tuple[int, int]], longest: int, device: torch.device) -> Bucket:
    """A group of sequences, each its first token and its length, in the order of the batch."""
    (first, _), (last, final), count = members[0], members[-1], len(members)
    lengths = [length for _, length in members]
    inside = sum(lengths)
    places, beyond = _padding(lengths, longest, device) if inside < count * longest else (None, None)
    tokens = slice(first, first + inside) if last + final - first == inside else _rows(members, device)
    return Bucket(tokens, count, longest, places, beyond)


def _padding(lengths: list[int], longest: int, device: torch.device) -> tuple[Tensor, Tensor]:
    beyond = torch.arange(longest)[None] >= torch.tensor(lengths)[:, None]
    return (~beyond).flatten().nonzero()[:, 0].to(device), beyond.to(device)


def _rows(members: list[tuple[int, int]], device: torch.device) -> Tensor:
    return torch.cat([torch.arange(start, start + length) for start, length in members]).to(device)


class _Spread(torch.autograd.Function):
    """Rows to given places of a larger table. Its gradient is a plain pick, which autograd cannot know."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, places: Tensor, rows: int) -> Tensor:  # noqa: ANN401 - torch's context
        ctx.save_for_backward(places)
        return values.new_zeros(rows, *values.shape[1:]).index_copy_(0, places, values)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None, None]:  # noqa: ANN401 - torch's context
        return grad.index_select(0, *ctx.saved_tensors), None, None


class _Picked(torch.autograd.Function):
    """The rows at distinct places. Its gradient copies, where autograd would have to add."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, places: Tensor) -> Tensor:  # noqa: ANN401 - torch's context
        ctx.save_for_backward(places)
        ctx.rows = len(values)
        return values.index_select(0, places)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:  # noqa: ANN401 - torch's context
        (places,) = ctx.saved_tensors
        return grad.new_zeros(ctx.rows, *grad.shape[1:]).index_copy_(0, places, grad), None


def spread(values: Tensor, places: Tensor, rows: int) -> Tensor:
    """[n, ...] to [rows, ...]: value i at `places[i]` (each at most once), zeros elsewhere."""
    result: Tensor = _Spread.apply(values, places, rows)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
    return result


def picked(values: Tensor, places: Tensor) -> Tensor:
    """[rows, ...] to [n, ...]: the rows at `places`, each at most once."""
    result: Tensor = _Picked.apply(values, places)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
    return result
