"""Count neighbouring units (words or phrases) of a token store exactly, storing only pairs that may be frequent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from wordworth.progress import Step
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.objectives.masking.mask_sampling import Flags, Groups, MaskingUnit, Numbers, Text
from wordworth.training.objectives.masking.phrases import Hashes, extend_hashes
from wordworth.training.objectives.masking.store_blocks import text_blocks

_BUCKET_BITS = 22
_LONGEST = 24
_SEED = np.uint64(0x243F6A8885A308D3)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of distinct token sequences, each of which is identified by a hash.

    Attributes:
        keys: uint64 [k], the hash of each sequence, ascending.
        counts: int64 [k], number of occurrences of each sequence.
        spans: int64 [k, 2], the first occurrence of each sequence: the index in the token store of its first token, and
            the index after its last token.
    """

    keys: Hashes
    counts: Numbers
    spans: Numbers

    @classmethod
    def empty(cls) -> Tally:
        """Return a tally without any token sequence."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.int64), np.zeros((0, 2), np.int64))

    def add(self, keys: Hashes, spans: Numbers) -> Tally:
        """Return the tally with further occurrences of token sequences counted.

        Args:
            keys: uint64 [n], the hash of the sequence of each occurrence.
            spans: int64 [n, 2], for each occurrence the index in the store of its first token, and the index after its
                last token.
        """
        both = np.concatenate([self.keys, keys])
        unique, first, inverse = np.unique(both, return_index=True, return_inverse=True)
        weights = np.concatenate([self.counts, np.ones(len(keys), np.int64)])
        counts = np.bincount(inverse, weights=weights, minlength=len(unique)).astype(np.int64)
        return Tally(unique, counts, np.concatenate([self.spans, spans])[first])

    def counts_of(self, keys: Hashes) -> Numbers:
        """Return the count of each token sequence, int64 [n].

        Args:
            keys: uint64 [n], the hashes of the sequences, all of which must be in the tally.
        """
        return self.counts[np.searchsorted(self.keys, keys)]

    def take(self, rows: Flags) -> Tally:
        """Return the tally of some of its token sequences.

        Args:
            rows: bool [k], whether each sequence is kept.
        """
        return Tally(self.keys[rows], self.counts[rows], self.spans[rows])


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Frequent pairs of neighbouring units (words or phrases) of a token store.

    Attributes:
        spans: int64 [k, 2], an occurrence of each pair: the index in the token store of its first token, and the index
            after its last token.
        joint: int64 [k], number of occurrences of each pair.
        left: int64 [k], number of occurrences of each pair's first unit.
        right: int64 [k], number of occurrences of each pair's second unit.
        total: number of units in the store.
    """

    spans: Numbers
    joint: Numbers
    left: Numbers
    right: Numbers
    total: int


@dataclass(frozen=True, slots=True)
class _Block:
    """The units of a block of the store, and which of them have a neighbour to their right that they may join.

    Attributes:
        hashes: uint64 [g], the hash of each unit.
        spans: int64 [g, 2], for each unit the index in the store of its first token, and the index after its last.
        lefts: int64 [p], the index in the block of the first unit of each pair; the next unit is the pair's second.
    """

    hashes: Hashes
    spans: Numbers
    lefts: Numbers

    @property
    def pairs(self) -> Hashes:
        """The hashes of the pairs, uint64 [p]; the hash of (a, b) differs from the hash of (b, a)."""
        left = extend_hashes(self.hashes[self.lefts], np.ones(len(self.lefts), dtype=np.int64))
        return extend_hashes(left, self.hashes[self.lefts + 1].view(np.int64))


def count_pairs(store: TokenStore, unit: MaskingUnit, letters: Flags, min_count: int, step: Step) -> PairCounts:
    """Count the pairs of neighbouring units of a token store that occur at least `min_count` times.

    A first pass over the store counts hashes of pairs in a table of fixed size, whose counts may be too high but never
    too low. A second pass counts exactly the pairs that may be frequent. Memory grows with the number of distinct units
    and the number of pairs that may be frequent.

    Args:
        store: the corpus.
        unit: the rule that divides the text into units.
        letters: bool [vocabulary], which tokens contain a letter; a unit without letters is part of no pair.
        min_count: minimal number of occurrences of a pair.
        step: progress display, advanced by the number of tokens in each of the two passes.
    """
    blocks = partial(_blocks, store, unit, letters, step)
    units, buckets, total = _first_pass(blocks)
    pairs, ends = Tally.empty(), Tally.empty()
    for block in blocks():
        keys, lefts = block.pairs, block.lefts
        frequent = buckets[keys >> np.uint64(64 - _BUCKET_BITS)] >= min_count
        spans = np.stack([block.spans[lefts, 0], block.spans[lefts + 1, 1]], axis=1)
        middle = np.stack([block.spans[lefts, 1], block.spans[lefts + 1, 0]], axis=1)
        pairs, ends = pairs.add(keys[frequent], spans[frequent]), ends.add(keys[frequent], middle[frequent])
    frequent = pairs.counts >= min_count
    pairs, middle = pairs.take(frequent), ends.spans[frequent, 0]
    left = _hashes(store, pairs.spans[:, 0], middle)
    right = _hashes(store, middle, pairs.spans[:, 1])
    return PairCounts(pairs.spans, pairs.counts, units.counts_of(left), units.counts_of(right), total)


def _first_pass(blocks: Callable[[], Iterator[_Block]]) -> tuple[Tally, Numbers, int]:
    """Return (counts of units, number of pairs in each bucket of hashes, number of all units).

    The number of a bucket is an upper bound of the count of each pair whose hash falls into the bucket.
    """
    units, buckets, total = Tally.empty(), np.zeros(1 << _BUCKET_BITS, dtype=np.int64), 0
    for block in blocks():
        units = units.add(block.hashes, block.spans)
        np.add.at(buckets, block.pairs >> np.uint64(64 - _BUCKET_BITS), 1)
        total += len(block.hashes)
    return units, buckets, total


def _blocks(store: TokenStore, unit: MaskingUnit, letters: Flags, step: Step) -> Iterator[_Block]:
    """Yield the units of the store, block by block."""
    rng = np.random.default_rng(0)  # the units that are used here draw nothing
    for base, text in text_blocks(store):
        groups = unit.groups(text, rng)
        groups = groups.take(groups.lengths <= _LONGEST)
        spans = np.stack([groups.firsts, groups.firsts + groups.lengths], axis=1) + base
        yield _Block(_run_hashes(text.ids, groups.firsts, groups.lengths), spans, _pair_starts(text, groups, letters))
        step.advance(len(text.ids))


def _pair_starts(text: Text, groups: Groups, letters: Flags) -> Numbers:
    """Return the indices of the groups that are the first of a pair, int64 [p].

    The next group is the second of the pair: it follows directly in the same sentence, and both contain a letter.
    """
    before = np.concatenate([[0], np.cumsum(letters[text.ids])])
    ends = groups.firsts + groups.lengths
    worded = before[ends] > before[groups.firsts]
    sentence = np.searchsorted(text.starts, groups.firsts, side="right")
    joined = (groups.firsts[1:] == ends[:-1]) & (sentence[1:] == sentence[:-1])
    return np.flatnonzero(joined & worded[:-1] & worded[1:])


def _hashes(store: TokenStore, firsts: Numbers, ends: Numbers) -> Hashes:
    return _run_hashes(store.ids, firsts, ends - firsts)


def _run_hashes(ids: np.ndarray, firsts: Numbers, lengths: Numbers) -> Hashes:
    """Return the hash of each of n runs of ids, uint64 [n].

    Args:
        ids: integers [tokens].
        firsts: int64 [n], the index in `ids` at which each run begins.
        lengths: int64 [n], number of ids of each run.
    """
    hashes = np.full(len(firsts), _SEED)
    for offset in range(int(lengths.max(initial=0))):
        rows = np.flatnonzero(lengths > offset)
        hashes[rows] = extend_hashes(hashes[rows], np.asarray(ids[firsts[rows] + offset], dtype=np.int64))
    return hashes
