"""The word explorer that studies share: a word's occurrences in a plane, and its neighbours in two contexts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.nearest_centroid import Vectors, plane, unit_or_zero
from wordworth.measures.weighted_sums import Floats, Integers, floats

OCCURRENCES = {
    "entry": "as in `explorer`",
    "sense": "place of the sense in `senses`, from 0; null where it is not known",
    "x": "along the first principal component of the unit vectors of those pictured",
    "y": "along the second",
    "before": "text before the word, cut",
    "form": "the word as written",
    "after": "text after it, cut",
}
NEIGHBOURS = {
    "entry": "as in `explorer`",
    "sense": "of the occurrence, as in `occurrences`",
    "before": "text before the word, cut",
    "form": "the word as written",
    "after": "text after it, cut",
    "words": "nearest words in other sentences, the nearest first, by cosine after the mean is subtracted",
}
UNKNOWN = -1
"""The sense of an occurrence that nobody tagged."""
_BEFORE, _AFTER, _LONGEST = 8, 8, 48
_CONTEXTS, _NEAREST = 2, 7

Context = tuple[str, str, str]
"""Text before, the word as written, text after."""
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pool:
    """Occurrences of other words, under one layer.

    Attributes:
        others: float64 [pool, d], unit vectors after the mean was subtracted.
        mean: float64 [d], of the unit vectors before.
        forms: in lower case.
        sentences: which sentence each stands in.
    """

    others: Floats
    mean: Floats
    forms: tuple[str, ...]
    sentences: tuple[Hashable, ...]

    @classmethod
    def of(cls, units: Vectors, forms: tuple[str, ...], sentences: tuple[Hashable, ...]) -> Self:
        """From unit vectors [pool, d]."""
        mean = floats(floats(units).mean(axis=0))
        return cls(floats(unit_or_zero(floats(units) - mean)), mean, forms, sentences)


@dataclass(frozen=True, slots=True)
class ExplorerWord:
    """A word of the explorer by those of its occurrences that are pictured.

    Attributes:
        entry: its number within the record.
        units: float [n, d], their unit vectors.
        senses: int64 [n], places among the word's senses, the commonest 0; `UNKNOWN` where nobody tagged one.
        contexts: the text around each.
        sentences: which sentence each stands in, named as in the pool.
        forms: in lower case, what is the word itself and so no neighbour of it.
    """

    entry: int
    units: NDArray[np.floating]
    senses: Integers
    contexts: tuple[Context, ...]
    sentences: tuple[Hashable, ...]
    forms: frozenset[str]


def project(word: ExplorerWord) -> tuple[list[Row], float]:
    """Rows of the table `occurrences`, and the share of the occurrences' variance that their plane holds."""
    places, share = plane(word.units)
    rows = [
        dict(zip(OCCURRENCES, (word.entry, _known(sense), rounded(x), rounded(y), *context), strict=True))
        for sense, (x, y), context in zip(word.senses, places, word.contexts, strict=True)
    ]
    return rows, share


def neighbours(word: ExplorerWord, pool: Pool) -> Iterator[Row]:
    """Rows of the table `neighbours`: the nearest other words in two of the word's contexts."""
    for place in _two(word):
        near = np.argsort(-(pool.others @ (floats(word.units[place]) - pool.mean)), kind="stable")
        found = _others(word, pool, near, word.sentences[place])
        values = (word.entry, _known(word.senses[place]), *word.contexts[place], found)
        yield dict(zip(NEIGHBOURS, values, strict=True))


def _two(word: ExplorerWord) -> list[int]:
    """Of the two commonest senses, the occurrence nearest to the sense's middle; else the two least alike of all."""
    known = np.unique(word.senses[word.senses != UNKNOWN])[:_CONTEXTS]
    if len(known) == _CONTEXTS:
        return [_middle(word.units, np.flatnonzero(word.senses == sense)) for sense in known]
    cosines = floats(word.units) @ floats(word.units).T
    np.fill_diagonal(cosines, np.inf)  # where all are alike, two all the same
    return sorted(int(place) for place in np.unravel_index(cosines.argmin(), cosines.shape))


def _middle(units: NDArray[np.floating], mine: Integers) -> int:
    return int(mine[int((units[mine] @ units[mine].sum(axis=0)).argmax())])


def _others(word: ExplorerWord, pool: Pool, near: Integers, sentence: Hashable) -> list[str]:
    """The nearest forms that are not the word's own and do not stand in the same sentence."""
    found = dict[str, None]()
    for place in near:
        form = pool.forms[place]
        if form not in word.forms and pool.sentences[place] != sentence:
            found[form] = None
        if len(found) == _NEAREST:
            break
    return list(found)


def excerpt(before: str, form: str, after: str) -> Context:
    """A word with at most eight words and 48 characters at either side, and a mark where there was more.

    It is cut between words; only a word that is longer than that by itself is cut inside.
    """
    left, right = before.split(), after.split()
    head, tail = _side(left[::-1], _BEFORE)[::-1], _side(right, _AFTER)
    return (
        "…" * (head != left or _long(head)) + " ".join(head)[-_LONGEST:],
        " ".join(form.split()),
        " ".join(tail)[:_LONGEST] + "…" * (tail != right or _long(tail)),
    )


def _long(words: list[str]) -> bool:
    return len(" ".join(words)) > _LONGEST


def _side(words: list[str], most: int) -> list[str]:
    """The first words that fit, the very first in any case."""
    ends = accumulate(len(word) + 1 for word in words[:most])
    return words[: max(1, sum(end - 1 <= _LONGEST for end in ends))]


def _known(sense: np.integer) -> int | None:
    return None if sense == UNKNOWN else int(sense)


def rounded(value: float) -> float | None:
    """Four decimals; None where there is no value."""
    return round(float(value), 4) if np.isfinite(value) else None
