"""Phrases and entities of a given list are masked whole (ERNIE, Sun et al. 2019, arXiv 1904.09223, section 3.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.masking.mask_sampling import Flags, Groups, Numbers, Text

Hashes = NDArray[np.uint64]
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_BITS = 18
_REST = np.uint64(64 - _BITS)


@dataclass(frozen=True)
class Phrases:
    """A masking unit: phrases of a given list are masked whole, and so are the words outside these phrases.

    Phrases are matched from left to right: at each word the longest phrase that begins there and ends at the end of a
    word, without overlaps.

    Attributes:
        phrases: the token ids of each phrase.
        together: whether one draw decides what replaces all tokens of a phrase; if False (as in ERNIE's code), each
            token has a draw of its own.
    """

    phrases: frozenset[tuple[int, ...]]
    together: bool = False

    @classmethod
    def of(cls, texts: Iterable[str], tokenizer: Tokenizer) -> Phrases:
        """Make the masking unit of a list of phrases, given as text, without those that the vocabulary cannot spell.

        Raises:
            BadInput: the vocabulary can spell none of the phrases.
        """
        distinct = sorted({text.strip() for text in texts} - {""})
        unknown = tokenizer.special_ids.get("unk", -1)
        spelt = [tuple(ids.tolist()) for ids in tokenizer.ids(distinct, special=False)]
        readable = [ids for ids in spelt if ids and unknown not in ids]
        if not readable:
            raise BadInput("this lexicon holds no phrase that the vocabulary can spell", mend="give one phrase a line")
        if tokenizer.blank_mark:  # within a text, the first word of a phrase has a space before it
            inner = tokenizer.ids([f" {text}" for text in distinct], special=False)
            readable += [tuple(ids.tolist()) for ids in inner if len(ids) and unknown not in ids]
        return cls(frozenset(readable))

    def groups(self, text: Text, rng: np.random.Generator) -> Groups:  # noqa: ARG002 - the protocol's; nothing is drawn here
        """Return the phrases in the text and the words outside them, in the order of the text."""
        words, phrases = text.words(), self.matches(text)
        inside = np.zeros(len(text.ids), dtype=np.bool_)
        inside[phrases.tokens()[0]] = True
        rest = words.take(~inside[words.firsts])
        firsts = np.concatenate([phrases.firsts, rest.firsts])
        order = np.argsort(firsts)
        return Groups(firsts[order], np.concatenate([phrases.lengths, rest.lengths])[order])

    def matches(self, text: Text) -> Groups:
        """Return the phrases of two or more tokens in a text; the longest match wins, from left to right."""
        padded = np.append(text.ids, np.zeros(self._longest, dtype=np.int64))
        starts = np.flatnonzero(text.word_starts)
        hashes = extend_hashes(
            extend_hashes(np.zeros(len(starts), dtype=np.uint64), padded[starts]), padded[starts + 1]
        )
        possible = self._beginnings[hashes >> _REST]
        starts, hashes = starts[possible], hashes[possible]
        longest = np.zeros(len(starts), dtype=np.int64)
        for length in range(2, self._longest + 1):
            hashes = hashes if length == 2 else extend_hashes(hashes, padded[starts + (length - 1)])  # noqa: PLR2004 - a pair
            if length in self._tables:
                longest[self._tables[length].matches(text, starts, hashes)] = length
        starts, longest = starts[longest > 0], longest[longest > 0]
        chosen = _without_overlaps(starts, starts + longest)
        return Groups(starts[chosen], longest[chosen])

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.phrases))

    @cached_property
    def _beginnings(self) -> Flags:
        """Flags by value of a hash's first bits, bool [values].

        A flag is True if the hash of the first two subwords of some phrase begins with that value.
        """
        return _hash_prefixes({ids[:2] for ids in self.phrases if len(ids) > 1})

    @cached_property
    def _tables(self) -> dict[int, _Table]:
        """Number of subwords -> the table of the phrases with as many subwords, from two on.

        A phrase of a single subword is left out: it is the same group of tokens with or without a lexicon.
        """
        tables: dict[int, set[tuple[int, ...]]] = {}
        for ids in (ids for ids in self.phrases if len(ids) > 1):
            tables.setdefault(len(ids), set()).add(ids)
        return {length: _Table.of(length, phrases) for length, phrases in tables.items()}


@dataclass(frozen=True, slots=True)
class _Table:
    """Phrases of `length` subwords.

    `perhaps`, bool [values], tells for each value of a hash's first bits whether some phrase's hash begins with it.
    """

    length: int
    phrases: set[tuple[int, ...]]
    perhaps: Flags

    @classmethod
    def of(cls, length: int, phrases: set[tuple[int, ...]]) -> _Table:
        return cls(length, phrases, _hash_prefixes(phrases))

    def matches(self, text: Text, starts: Numbers, hashes: Hashes) -> Numbers:
        """Return the indices into `starts` at which a phrase of this table begins, int64 [n].

        The phrase must lie within one sequence and end at the end of a word.

        Args:
            text: the text.
            starts: int64 [m], the indices of tokens at which words begin.
            hashes: uint64 [m], the hash of the `length` tokens from each start on.
        """
        candidates = np.flatnonzero(self.perhaps[hashes >> _REST])
        candidates = candidates[self._bounded(text, starts[candidates])]
        grams = text.ids[starts[candidates][:, None] + np.arange(self.length)].tolist()
        return candidates[[tuple(gram) in self.phrases for gram in grams]] if len(candidates) else candidates

    def _bounded(self, text: Text, starts: Numbers) -> Flags:
        """Return for each start whether a phrase would end at a word's end within the sequence, bool [starts]."""
        ends = starts + self.length
        fits: Flags = ends <= text.starts[np.searchsorted(text.starts, starts, side="right")]
        inner = fits & (ends < len(text.ids))
        continues = text.maskable & ~text.word_starts
        fits[inner] = ~continues[ends[inner]]
        return fits


def _hash_prefixes(phrases: set[tuple[int, ...]]) -> Flags:
    """Return for each value of a hash's first bits whether a phrase's hash begins with it, bool [values].

    All phrases have the same number of subwords.
    """
    hashes = np.zeros(len(phrases), dtype=np.uint64)
    for column in np.array(list(phrases), dtype=np.int64).T:
        hashes = extend_hashes(hashes, column)
    known = np.zeros(1 << _BITS, dtype=np.bool_)
    known[hashes >> _REST] = True
    return known


def extend_hashes(hashes: Hashes, ids: Numbers) -> Hashes:
    """Return the hashes of n token sequences after one token has been appended to each sequence, uint64 [n].

    Args:
        hashes: uint64 [n], the hash of each sequence without the new token.
        ids: int64 [n], the id of the token appended to each sequence.
    """
    return (hashes ^ ids.astype(np.uint64)) * _FACTOR


def _without_overlaps(starts: Numbers, ends: Numbers) -> Numbers:
    """Return the indices of the intervals that are chosen, int64 [n], ascending.

    From left to right, each interval that overlaps no earlier chosen interval is chosen.

    Args:
        starts: int64 [m], the first position of each interval, ascending.
        ends: int64 [m], the position after the last of each interval.
    """
    reached = np.maximum.accumulate(ends) if len(ends) else ends
    alone = np.ones(len(starts), dtype=np.bool_)
    alone[1:] = starts[1:] >= reached[:-1]
    alone[:-1] &= alone[1:].copy()
    taken, reach = np.flatnonzero(alone).tolist(), 0
    for number in np.flatnonzero(~alone).tolist():
        if starts[number] >= reach:
            taken.append(number)
            reach = ends[number]
    return np.sort(np.array(taken, dtype=np.int64))
