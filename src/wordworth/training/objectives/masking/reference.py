"""Masking in plain Python, one sequence at a time, as `create_masked_lm_predictions` of google-research/bert has it.

Nothing runs through here but tests: this is the specification of `groups` and `mlm`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence


def quota(length: int, share: float = 0.15, most: int | None = None) -> int:
    """How many of a sequence's tokens are asked for; Python rounds halves to even.

    >>> [quota(length) for length in (3, 10, 30, 50, 70, 128, 512)]
    [1, 2, 4, 8, 10, 19, 77]
    """
    asked = max(1, round(share * length))
    return asked if most is None else min(asked, most)


def words(maskable: Sequence[bool], continues: Sequence[bool]) -> list[list[int]]:
    """The places of each word's pieces; a continuation after a special token begins a word of its own.

    >>> words([False, True, True, True, False], [False, False, True, False, False])
    [[1, 2], [3]]
    """
    found: list[list[int]] = []
    for place, free in enumerate(maskable):
        if free and continues[place] and place and maskable[place - 1]:
            found[-1].append(place)
        elif free:
            found.append([place])
    return found


def taken(groups: Iterable[Sequence[int]], room: int) -> list[int]:
    """The places of the groups that are masked, tried in the order given; one that does not fit is passed over."""
    places: list[int] = []
    for group in groups:
        if len(places) + len(group) <= room:
            places.extend(group)
    return sorted(places)


def replacement(token: int, mask: int, vocab_size: int, chance: Callable[[], float] = random.random) -> int:
    """What stands in a chosen place: [MASK] at 0.8, else as often the token itself as any piece of the vocabulary."""
    if chance() < 0.8:  # noqa: PLR2004 - the paper's numbers, as in its code
        return mask
    return token if chance() < 0.5 else int(chance() * vocab_size)  # noqa: PLR2004 - likewise
