"""Masking in plain Python, one sequence at a time, as `create_masked_lm_predictions` of google-research/bert has it.

Only tests run this: it is the specification of `sampling` and `mlm`.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise


def quota(length: int, share: float = 0.15, most: int | None = None) -> int:
    """Return how many of a sequence's tokens are predicted; Python rounds halves to even.

    >>> [quota(length) for length in (3, 10, 30, 50, 70, 128, 512)]
    [1, 2, 4, 8, 10, 19, 77]
    """
    count = max(1, round(share * length))
    return count if most is None else min(count, most)


def words(maskable: Sequence[bool], continues: Sequence[bool]) -> list[list[int]]:
    """Return the positions of each word's subwords; a continuation after a special token begins a new word.

    >>> words([False, True, True, True, False], [False, False, True, False, False])
    [[1, 2], [3]]
    """
    groups: list[list[int]] = []
    for position, free in enumerate(maskable):
        if free and continues[position] and position and maskable[position - 1]:
            groups[-1].append(position)
        elif free:
            groups.append([position])
    return groups


def taken(groups: Iterable[Sequence[int]], room: int) -> list[int]:
    """Return the positions of the groups that are masked, tried in order; one that does not fit is skipped."""
    positions: list[int] = []
    for group in groups:
        if len(positions) + len(group) <= room:
            positions.extend(group)
    return sorted(positions)


def replacement(token: int, mask: int, vocab_size: int, chance: Callable[[], float] = random.random) -> int:
    """Return what replaces a chosen token: [MASK] at 0.8, else the token itself or any subword, equally often.

    Args:
        token: the original id.
        mask: the id of [MASK].
        vocab_size: number of subwords to draw from.
        chance: draws a uniform number from 0 to 1.
    """
    if chance() < 0.8:
        return mask
    return token if chance() < 0.5 else int(chance() * vocab_size)


def phrases(ids: Sequence[int], heads: Sequence[bool], lexicon: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the units of a sentence: at each word the longest lexicon phrase of whole words, else the word.

    >>> phrases([1, 2, 3, 4], [True, True, True, False], [(1, 2), (2, 3)])
    [(1, 2), (3, 4)]
    """
    units, start = list[tuple[int, ...]](), 0
    words = [index for index, head in enumerate(heads) if head] + [len(ids)]
    while start < len(ids):
        ends = [end for end in words if end > start]
        longest = max((end for end in ends if tuple(ids[start:end]) in set(lexicon)), default=ends[0])
        units.append(tuple(ids[start:longest]))
        start = longest
    return units


def pair_counts(
    sentences: Iterable[Sequence[tuple[int, ...]]], letters: Sequence[bool]
) -> tuple[Counter[tuple[tuple[int, ...], tuple[int, ...]]], Counter[tuple[int, ...]]]:
    """Count neighbouring units that both have a letter, and all units."""
    pairs, units = Counter[tuple[tuple[int, ...], tuple[int, ...]]](), Counter[tuple[int, ...]]()
    for sentence in sentences:
        units.update(sentence)
        pairs.update(pair for pair in pairwise(sentence) if all(any(letters[id_] for id_ in unit) for unit in pair))
    return pairs, units
