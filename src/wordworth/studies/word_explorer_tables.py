"""The tables of the word explorer: a word's occurrences in a plane, and its nearest words in two of its contexts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.geometry.nearest_centroid import Vectors, plane
from wordworth.measures.weighted_sums import Floats, Integers, floats

OCCURRENCES = {
    "entry": "as in `explorer`",
    "sense": "index of the sense in `senses`, from 0; null where it is not known",
    "x": "along the first principal component of the unit vectors of the occurrences shown",
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
"""The sense of an untagged occurrence."""
_BEFORE, _AFTER, _LONGEST = 8, 8, 48
_CONTEXTS, _NEAREST, _OF_A_FORM = 2, 7, 2

Context = tuple[str, str, str]
"""Text before, the word as written, text after."""
Row = dict[str, Any]
Tables = tuple[list[Row], list[Row], list[Row]]
"""The rows of the tables `explorer`, `occurrences` and `neighbours`."""


@dataclass(frozen=True, slots=True)
class ExplorerPlan:
    """The occurrences of words whose vectors are stored for the word explorer.

    Attributes:
        plotted: index of a word in the data set -> int64, the indices of its plotted occurrences in the data set; the
            most frequent word comes first.
        candidates: int64 [pool, 2], the candidate neighbours, each as the index of a sentence in the data set and the
            index of a word in the sentence.
    """

    plotted: Mapping[int, Integers]
    candidates: Integers

    @property
    def occurrences(self) -> Integers:
        """The indices of the occurrences that the word explorer plots, of all words end to end, int64 [n]."""
        return np.concatenate([np.zeros(0, np.int64), *self.plotted.values()])


EMPTY = ExplorerPlan({}, np.zeros((0, 2), np.int64))


def candidates(forms: Iterable[str], suits: Callable[[str], bool]) -> Iterator[int]:
    """Yield the indices of occurrences that may be neighbours in the word explorer, at most two of each form.

    The indices point into `forms`.

    Args:
        forms: the form of each occurrence.
        suits: function that returns whether a form may be a neighbour.
    """
    seen = Counter[str]()
    for position, form in enumerate(forms):
        if suits(form) and seen[form] < _OF_A_FORM:
            seen[form] += 1
            yield position


@dataclass(frozen=True, slots=True)
class Pool:
    """The occurrences of words among which the word explorer searches neighbours, in one layer.

    Attributes:
        centred_vectors: float64 [pool, d], the unit vectors of the occurrences minus `mean`, scaled to unit length
            again.
        mean: float64 [d], the mean of the unit vectors of all occurrences.
        forms: the word of each occurrence, in lower case.
        sentences: an identifier of the sentence of each occurrence.
    """

    centred_vectors: Floats
    mean: Floats
    forms: tuple[str, ...]
    sentences: tuple[Hashable, ...]

    @classmethod
    def of(cls, units: Vectors, forms: tuple[str, ...], sentences: tuple[Hashable, ...]) -> Self:
        """Return the pool of the given occurrences, each of which may be a neighbour.

        Args:
            units: [pool, d], the unit vectors of the occurrences.
            forms: the word of each occurrence, in lower case.
            sentences: an identifier of the sentence of each occurrence.
        """
        mean = floats(floats(units).mean(axis=0))
        return cls(floats(unit_or_zero(floats(units) - mean)), mean, forms, sentences)


@dataclass(frozen=True, slots=True)
class ExplorerWord:
    """A word of the word explorer, and n of its occurrences.

    Attributes:
        entry: number of the word, by which the explorer's tables refer to it.
        units: float [n, d], unit vectors of the occurrences.
        senses: int64 [n], rank of each occurrence's sense, 0 for the most frequent; `UNKNOWN` for an occurrence without
            a tag.
        contexts: the text around each occurrence.
        sentences: an identifier of the sentence of each occurrence, as in `Pool.sentences`.
        forms: the forms of the word itself, in lower case, which are not taken as its neighbours.
    """

    entry: int
    units: NDArray[np.floating]
    senses: Integers
    contexts: tuple[Context, ...]
    sentences: tuple[Hashable, ...]
    forms: frozenset[str]


def explorer_tables(entries: Iterable[tuple[ExplorerWord, Pool, Row]]) -> Tables:
    """Return the rows of three tables of the word explorer: (`explorer`, `occurrences`, `neighbours`).

    Args:
        entries: each word with the pool of its candidate neighbours and its row of the table `explorer`. The
            returned row is a copy with the columns `entry` and `shown` added.
    """
    words, occurrences, near = list[Row](), list[Row](), list[Row]()
    for word, pool, row in entries:
        rows, share = project(word)
        words.append({**row, "entry": word.entry, "shown": rounded(share)})
        occurrences.extend(rows)
        near.extend(neighbours(word, pool))
    return words, occurrences, near


def project(word: ExplorerWord) -> tuple[list[Row], float]:
    """Project a word's vectors to a plane.

    Returns:
        The rows of the table `occurrences`, with the coordinates in the plane; and the share of the variance that
        the plane explains, 0 to 1.
    """
    coordinates, share = plane(word.units)
    rows = [
        dict(zip(OCCURRENCES, (word.entry, _known(sense), rounded(x), rounded(y), *context), strict=True))
        for sense, (x, y), context in zip(word.senses, coordinates, word.contexts, strict=True)
    ]
    return rows, share


def neighbours(word: ExplorerWord, pool: Pool) -> Iterator[Row]:
    """Yield rows of the table `neighbours`: the words nearest to a word in two of its contexts.

    Args:
        word: the word with its occurrences.
        pool: the occurrences among which the neighbours are searched.
    """
    for index in _two_occurrences(word):
        order = np.argsort(-(pool.centred_vectors @ (floats(word.units[index]) - pool.mean)), kind="stable")
        forms = _nearest_forms(word, pool, order, word.sentences[index])
        values = (word.entry, _known(word.senses[index]), *word.contexts[index], forms)
        yield dict(zip(NEIGHBOURS, values, strict=True))


def _two_occurrences(word: ExplorerWord) -> list[int]:
    """Return the indices of two of a word's occurrences: the most central one of each of its two most frequent senses.

    If fewer than two senses are tagged, return the two occurrences that are least similar.
    """
    known = np.unique(word.senses[word.senses != UNKNOWN])[:_CONTEXTS]
    if len(known) == _CONTEXTS:
        return [_middle(word.units, np.flatnonzero(word.senses == sense)) for sense in known]
    cosines = floats(word.units) @ floats(word.units).T
    np.fill_diagonal(cosines, np.inf)  # so that an occurrence is never paired with itself
    return sorted(int(index) for index in np.unravel_index(cosines.argmin(), cosines.shape))


def _middle(units: NDArray[np.floating], members: Integers) -> int:
    return int(members[int((units[members] @ units[members].sum(axis=0)).argmax())])


def _nearest_forms(word: ExplorerWord, pool: Pool, order: Integers, sentence: Hashable) -> list[str]:
    """Return the forms nearest to an occurrence, without the word's own forms and the words of the same sentence.

    Args:
        word: the word.
        pool: the candidate neighbours.
        order: int64 [pool], the indices of the candidates in `pool`, the nearest first.
        sentence: the identifier of the occurrence's sentence.
    """
    forms = dict[str, None]()
    for index in order:
        form = pool.forms[index]
        if form not in word.forms and pool.sentences[index] != sentence:
            forms[form] = None
        if len(forms) == _NEAREST:
            break
    return list(forms)


def excerpt(before: str, form: str, after: str) -> Context:
    """Return a word with at most eight words and 48 characters on either side, and `…` where text was cut.

    Text is cut between words, unless a word is longer than 48 characters.

    Args:
        before: text before the word.
        form: the word as it is written.
        after: text after the word.
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
    """Return the first words, at most `most`, that together fit into `_LONGEST` characters; at least one word."""
    ends = accumulate(len(word) + 1 for word in words[:most])
    return words[: max(1, sum(end - 1 <= _LONGEST for end in ends))]


def _known(sense: np.integer) -> int | None:
    return None if sense == UNKNOWN else int(sense)


def rounded(value: float) -> float | None:
    """Return the value rounded to four decimals; None if it is not finite."""
    return round(float(value), 4) if np.isfinite(value) else None
