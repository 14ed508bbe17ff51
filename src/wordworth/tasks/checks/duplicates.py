"""Find duplicate texts: texts that are equal but for case and white space."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.tasks.examples import Examples, Labels
from wordworth.tasks.labels import Integers

_BETWEEN = "\x1f"


def plain(examples: Examples) -> list[str]:
    """Return each example as one lower-case text with single spaces; the texts of a pair are joined by a separator."""
    first = [_plain(text) for text in examples.first]
    if examples.second is None:
        return first
    return [a + _BETWEEN + _plain(b) for a, b in zip(first, examples.second, strict=True)]


def empty(text: str) -> bool:
    """Return whether an example has no text; a pair has no text if both of its texts are empty.

    Args:
        text: the example as one text, as `plain` returns it.
    """
    return text in {"", _BETWEEN}


def groups(texts: Sequence[Hashable]) -> Integers:
    """Return the index of each text's group, int64 [n]: equal texts share a group.

    Groups are numbered in the order of their first texts.
    """
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(text, len(numbers)) for text in texts], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Conflicts:
    """Texts that occur in the file with different labels.

    Attributes:
        texts: number of distinct texts that occur with different labels.
        rows: number of rows with these texts.
        lost: number of these rows that any model must get wrong, since a model gives one prediction for a text.
        example: the indices of all rows with the first of these texts; empty if no text has different labels.
    """

    texts: int
    rows: int
    lost: int
    example: tuple[int, ...]


def repeats(group: Integers) -> int:
    """Return the number of rows whose text is the same as in an earlier row.

    Args:
        group: int64 [n], the group of equal texts to which each row belongs.
    """
    return len(group) - len(np.unique(group))


def conflicts(group: Integers, labels: Labels) -> Conflicts:
    """Find the texts that occur with different labels.

    Args:
        group: int64 [n], the group of equal texts to which each row belongs.
        labels: the labels of the rows.
    """
    members = defaultdict(list)
    for row in np.flatnonzero(np.bincount(group)[group] > 1).tolist():
        members[group[row]].append(row)
    conflicting = []
    for rows in members.values():
        counts: dict[bytes, int] = defaultdict(int)
        for row in rows:
            counts[np.asarray(labels[row]).tobytes()] += 1
        if len(counts) > 1:
            conflicting.append((rows, len(rows) - max(counts.values())))
    example = tuple(conflicting[0][0]) if conflicting else ()
    return Conflicts(
        len(conflicting), sum(len(rows) for rows, _ in conflicting), sum(lost for _, lost in conflicting), example
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
