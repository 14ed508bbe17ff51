"""`MaskingUnit`: which tokens are masked together; and the draw among them, for all sequences of a step at once.

A *group* is a run of tokens that are masked all together or not at all: a token, a word's pieces, a span, a phrase.
`masking.plain` is the specification in plain Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Text:
    """The tokens of a step, as rules of masking see them.

    Attributes:
        ids: int64 [tokens].
        starts: int64 [n + 1], where sequences start.
        maskable: bool [tokens], false for special tokens.
        heads: bool [tokens], true where a word begins: at each maskable token that is no continuation, and at one
            that stands first after a special token (a text cut in a word's middle).
    """

    ids: Numbers
    starts: Numbers
    maskable: Flags
    heads: Flags

    @classmethod
    def read(cls, ids: Numbers, starts: NDArray[np.integer[Any]], special: Flags, continuations: Flags) -> Text:
        """From ids and two tables over the vocabulary: which pieces are special, and which continue a word."""
        maskable = ~special[ids]
        after_mark = np.ones_like(maskable)
        after_mark[1:] = ~maskable[:-1]
        after_mark[starts[:-1][starts[:-1] < len(ids)]] = True
        return cls(ids, starts.astype(np.int64), maskable, maskable & (after_mark | ~continuations[ids]))

    def words(self) -> Groups:
        """Every word: its pieces are one group."""
        firsts = np.flatnonzero(self.heads)
        before = np.concatenate([[0], np.cumsum(self.maskable)])
        ends = np.append(firsts[1:], len(self.ids))
        return Groups(firsts, before[ends] - before[firsts])


@dataclass(frozen=True, slots=True)
class Groups:
    """Runs of tokens within their sequences, none sharing a token, in the order of the text.

    Attributes:
        firsts: int64 [g], the first token of each.
        lengths: int64 [g], at least 1.
    """

    firsts: Numbers
    lengths: Numbers

    def tokens(self) -> tuple[Numbers, Numbers]:
        """The tokens of all groups, rising, and the number of the group of each."""
        owner = np.repeat(np.arange(len(self.firsts)), self.lengths)
        offsets = np.cumsum(self.lengths) - self.lengths
        return np.arange(len(owner)) + (self.firsts - offsets)[owner], owner

    def take(self, chosen: Flags) -> Groups:
        """Some of the groups."""
        return Groups(self.firsts[chosen], self.lengths[chosen])


class MaskingUnit(Protocol):
    """One rule of what is masked together."""

    @property
    def together(self) -> bool:
        """Whether a group's tokens share one draw of what stands in their place; else each draws its own."""

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:
        """The groups among which masks are drawn."""


def sample_groups(groups: Groups, starts: Numbers, quota: Numbers, rng: np.random.Generator) -> Flags:
    """Which groups are masked, bool [g]: in each sequence one after another at random until its quota is full.

    Args:
        groups: candidates.
        starts: int64 [n + 1], where sequences start.
        quota: int64 [n], the most tokens to mask in each.
        rng: of the order in which groups are tried.
    """
    bounds = np.searchsorted(groups.firsts, starts)
    order = shuffled(np.repeat(np.arange(len(quota)), np.diff(bounds)), rng)
    taken = np.zeros(len(order), dtype=np.bool_)
    taken[order[fill_quota(groups.lengths[order], bounds, quota)]] = True
    return taken


def shuffled(owner: Numbers, rng: np.random.Generator) -> Numbers:
    """A random order of the items of each owner, owners in their order, int64 [g]; `owner` rises.

    One sort of numbers that hold owner, chance and place, from the highest bits to the lowest: the place makes them
    differ, so that the order is the same on every machine.
    """
    if not len(owner):
        return np.zeros(0, dtype=np.int64)
    places = len(owner).bit_length()
    chances = 64 - places - int(owner[-1]).bit_length()
    keys = owner.astype(np.uint64) << np.uint64(places + chances)
    keys |= rng.integers(1 << chances, size=len(owner), dtype=np.uint64) << np.uint64(places)
    keys |= np.arange(len(owner), dtype=np.uint64)
    keys.sort()
    return (keys & np.uint64((1 << places) - 1)).astype(np.int64)


def fill_quota(lengths: Numbers, bounds: Numbers, quota: Numbers) -> Flags:
    """Which groups of an order are taken, bool [g]: each that fits into what the quota of its sequence has left.

    A group that would go beyond the quota is passed over and the next is tried, as in `create_masked_lm_predictions`
    of google-research/bert. All groups before the first that is passed over are found by one cumulative sum; only the
    few after it are tried one by one, in step over all sequences.

    Args:
        lengths: int64 [g], tokens of each group in the order in which they are tried.
        bounds: int64 [n + 1], the first group of each sequence.
        quota: int64 [n].
    """
    counts = np.diff(bounds)
    owner = np.repeat(np.arange(len(counts)), counts)
    filled = np.concatenate([[0], np.cumsum(lengths)])
    base = filled[bounds[:-1]]
    fits: Flags = filled[1:] - base[owner] <= quota[owner]
    misfits = bounds[:-1] + np.bincount(owner[fits], minlength=len(counts))
    _try_on(fits, lengths, misfits, bounds[1:], quota - (filled[misfits] - base))
    return fits


def _try_on(fits: Flags, lengths: Numbers, at: Numbers, ends: Numbers, room: Numbers) -> None:
    """Try the groups from place `at` of each sequence on, and mark those that still fit into its room."""
    while True:
        alive = (at < ends) & (room > 0)
        if not alive.any():
            return
        at, ends, room = at[alive], ends[alive], room[alive]
        fitting = lengths[at] <= room
        fits[at[fitting]] = True
        room = room - np.where(fitting, lengths[at], 0)
        at = at + 1
