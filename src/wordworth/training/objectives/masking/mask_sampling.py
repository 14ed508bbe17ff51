"""`MaskingUnit`: a rule for which tokens are masked together; and random masking of all sequences of a step.

A *group* is a stretch of tokens that are masked all together or not at all: one token, a word, a span, a phrase.
The tests hold the specification in plain Python.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from wordworth.text.corpus.index_ranges import ranges

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Text:
    """The tokens of the sequences of a step, as the rules of masking see them.

    Attributes:
        ids: int64 [tokens], the ids of all sequences, one after the other.
        starts: int64 [n + 1], the index of the first token of each of n sequences, and the number of tokens.
        maskable: bool [tokens], whether a token may be masked; false for special tokens.
        word_starts: bool [tokens], true where a word begins: at each maskable token that does not continue a word. The
            first token after a special token counts as a beginning too, even if the text was cut inside a word.
    """

    ids: Numbers
    starts: Numbers
    maskable: Flags
    word_starts: Flags

    @classmethod
    def read(cls, ids: Numbers, starts: NDArray[np.integer[Any]], special: Flags, word_starts: Flags) -> Text:
        """Return the tokens of a step as the rules of masking see them.

        Args:
            ids: int64 [tokens], the ids of all sequences, one after the other.
            starts: [n + 1], the index of the first token of each of n sequences, and the number of tokens.
            special: bool [vocabulary], whether each id is never masked.
            word_starts: bool [tokens], whether a word begins at each token.
        """
        maskable = ~special[ids]
        after_mark = np.ones_like(maskable)
        after_mark[1:] = ~maskable[:-1]
        after_mark[starts[:-1][starts[:-1] < len(ids)]] = True
        return cls(ids, starts.astype(np.int64), maskable, maskable & (after_mark | word_starts))

    def words(self) -> Groups:
        """Return every word as a group of tokens."""
        firsts = np.flatnonzero(self.word_starts)
        before = np.concatenate([[0], np.cumsum(self.maskable)])
        ends = np.append(firsts[1:], len(self.ids))
        return Groups(firsts, before[ends] - before[firsts])


@dataclass(frozen=True, slots=True)
class Groups:
    """Groups of neighbouring tokens, each of which is masked as a whole or not at all.

    Groups do not overlap, and are in the order of the text.

    Attributes:
        firsts: int64 [g], the index of the first token of each group.
        lengths: int64 [g], number of tokens of each group, at least 1.
    """

    firsts: Numbers
    lengths: Numbers

    def tokens(self) -> tuple[Numbers, Numbers]:
        """Return (indices of all tokens in groups, ascending; the group of each of these tokens), int64 [m] each."""
        return ranges(self.firsts, self.lengths), np.repeat(np.arange(len(self.firsts)), self.lengths)

    def take(self, chosen: Flags) -> Groups:
        """Return some of the groups.

        Args:
            chosen: bool [g], whether each group is returned.
        """
        return Groups(self.firsts[chosen], self.lengths[chosen])


class MaskingUnit(Protocol):
    """An interface: a rule that divides a text into groups of tokens that are masked together."""

    @property
    def together(self) -> bool:
        """Whether one draw decides what replaces all tokens of a group; if False, each token has a draw of its own."""

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:
        """Divide a text into groups of tokens that are masked together; the groups to mask are drawn from these."""


def sample_groups(groups: Groups, starts: Numbers, quota: Numbers, rng: np.random.Generator) -> Flags:
    """Draw the groups of tokens to mask, within each sequence's quota; return whether each is drawn, bool [g].

    The groups of a sequence are tried in random order, and a group that would exceed the quota is skipped.

    Args:
        groups: the groups to draw from.
        starts: int64 [n + 1], the index of the first token of each of n sequences, and the number of tokens.
        quota: int64 [n], maximal number of tokens to mask in each sequence.
        rng: source of randomness.
    """
    bounds = np.searchsorted(groups.firsts, starts)
    order = shuffled(np.repeat(np.arange(len(quota)), np.diff(bounds)), rng)
    taken = np.zeros(len(order), dtype=np.bool_)
    taken[order[fill_quota(groups.lengths[order], bounds, quota)]] = True
    return taken


def shuffled(owner: Numbers, rng: np.random.Generator) -> Numbers:
    """Return a random order of items, as their indices, int64 [g]; items of a sequence stay together.

    The items are sorted by keys: the highest bits of a key are the item's sequence, then come random bits, then the
    item's index. The index makes the keys distinct, so that the order is the same on every machine.

    Args:
        owner: int64 [g], the index of each item's sequence, ascending.
        rng: source of randomness.
    """
    if not len(owner):
        return np.zeros(0, dtype=np.int64)
    index_bits = len(owner).bit_length()
    random_bits = 64 - index_bits - int(owner[-1]).bit_length()
    keys = owner.astype(np.uint64) << np.uint64(index_bits + random_bits)
    keys |= rng.integers(1 << random_bits, size=len(owner), dtype=np.uint64) << np.uint64(index_bits)
    keys |= np.arange(len(owner), dtype=np.uint64)
    keys.sort()
    return (keys & np.uint64((1 << index_bits) - 1)).astype(np.int64)


def fill_quota(lengths: Numbers, bounds: Numbers, quota: Numbers) -> Flags:
    """Return for each group of tokens whether it is taken, bool [g]: in order, each that fits its sequence's quota.

    A group that would exceed the quota is skipped and the next one is tried, as in `create_masked_lm_predictions` of
    google-research/bert. A cumulative sum decides all groups up to the first one skipped; the few after it are tried
    one by one, in parallel over all sequences.

    Args:
        lengths: int64 [g], number of tokens of each group, in the order in which groups are tried.
        bounds: int64 [n + 1], the index of the first group of each sequence, and the number of groups.
        quota: int64 [n], maximal number of tokens to take in each sequence.
    """
    counts = np.diff(bounds)
    owner = np.repeat(np.arange(len(counts)), counts)
    filled = np.concatenate([[0], np.cumsum(lengths)])
    base = filled[bounds[:-1]]
    fits: Flags = filled[1:] - base[owner] <= quota[owner]
    misfits = bounds[:-1] + np.bincount(owner[fits], minlength=len(counts))
    _try_remaining(fits, lengths, misfits, bounds[1:], quota - (filled[misfits] - base))
    return fits


def _try_remaining(fits: Flags, lengths: Numbers, at: Numbers, ends: Numbers, room: Numbers) -> None:
    """Set `fits` to True, in place, for the later groups of each sequence that still fit, tried one by one.

    Args:
        fits: bool [g], whether each group is taken.
        lengths: int64 [g], number of tokens of each group.
        at: int64 [n], the index of the first group to try of each sequence.
        ends: int64 [n], the index after the last group of each sequence.
        room: int64 [n], number of tokens that each sequence may still take.
    """
    while True:
        alive = (at < ends) & (room > 0)
        if not alive.any():
            return
        at, ends, room = at[alive], ends[alive], room[alive]
        fitting = lengths[at] <= room
        fits[at[fitting]] = True
        room = room - np.where(fitting, lengths[at], 0)
        at = at + 1
