"""Texts that say the same: equal but for case and white space."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.tasks.labels import Integers
from wordworth.tasks.task import Examples, Labels

_BETWEEN = "\x1f"


def plain(examples: Examples) -> list[str]:
    """Each example as one text without case or runs of white space; the two texts of a pair stay apart."""
    first = [_plain(text) for text in examples.first]
    if examples.second is None:
        return first
    return [a + _BETWEEN + _plain(b) for a, b in zip(first, examples.second, strict=True)]


def groups(texts: Sequence[Hashable]) -> Integers:
    """int64 [n], the same number for the same text, numbered by first appearance."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Texts that stand in the file with different labels.

    Attributes:
        texts: how many such texts there are.
        rows: the rows they fill.
        lost: rows that no model can get right, since one answer a text is all it can give.
        example: the rows of the first such text.
    """

    texts: int
    rows: int
    lost: int
    example: tuple[int, ...]


def repeats(group: Integers) -> int:
    """How many rows repeat a text that stood before."""
    return len(group) - len(np.unique(group))


def conflicts(group: Integers, labels: Labels) -> Conflicts:
    """The texts of one group with different labels."""
    members = defaultdict(list)
    for row in np.flatnonzero(np.bincount(group)[group] > 1).tolist():
        members[group[row]].append(row)
    found = []
    for rows in members.values():
        counts: dict[bytes, int] = defaultdict(int)
        for row in rows:
            counts[np.asarray(labels[row]).tobytes()] += 1
        if len(counts) > 1:
            found.append((rows, len(rows) - max(counts.values())))
    example = tuple(found[0][0]) if found else ()
    return Conflicts(len(found), sum(len(rows) for rows, _ in found), sum(lost for _, lost in found), example)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
