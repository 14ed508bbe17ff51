"""Words to look at: their occurrences in a plane, their curves, and their neighbours in two contexts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.senses import alike, plane, unit_or_zero
from wordworth.measures.sums import Floats, Integers, floats
from wordworth.studies.senses.centroids import Learnt, Told
from wordworth.studies.senses.plan import Plan
from wordworth.studies.senses.scores import Hits
from wordworth.studies.senses.tagged import Tagged

WORDS = {
    "entry": "number in the explorer, within the record",
    "data": "set",
    "word": "as the set names it",
    "occurrences": "tagged",
    "senses": "tagged, as people call them, the commonest first",
    "counts": "occurrences of each",
    "layer": "of the picture and the neighbours: the one that tells most senses right in this set",
    "shown": "share of the variance of the pictured occurrences that the plane holds",
    "self_similarity": "mean cosine of two occurrences by layer from the input on, not adjusted",
    "same": "the same of two occurrences in one sense",
    "different": "the same of two in different senses",
    "tested": "occurrences whose sense was to be told, with a choice",
    "right": "of these told right at this layer",
    "frequent": "of these right by the most frequent sense",
}
OCCURRENCES = {
    "entry": "as in `explorer`",
    "sense": "place of the sense in `senses`, from 0",
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
_BEFORE, _AFTER, _LONGEST = 8, 8, 48
_CONTEXTS, _NEAREST = 2, 7


@dataclass(frozen=True, slots=True)
class Seen:
    """What the explorer is made from: a set, what is kept of it, and what was told."""

    of: Tagged
    plan: Plan
    learnt: Learnt
    told: Told
    hits: Hits


@dataclass(frozen=True, slots=True)
class Pool:
    """Other words of all sets: float32 [pool, layers, d] unit vectors, forms and sentences."""

    vectors: NDArray[np.float32]
    forms: tuple[str, ...]
    sentences: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, seen: list[Seen]) -> Pool:
        """The pools of all sets together."""
        places = [(one, int(sentence), int(place)) for one in seen for sentence, place in one.plan.pool]
        return cls(
            np.concatenate([one.learnt.pool for one in seen]),
            tuple(one.of.sentences[sentence][place].lower() for one, sentence, place in places),
            tuple((one.of.name, sentence) for one, sentence, _ in places),
        )


Row = dict[str, Any]


def explorer(seen: list[Seen]) -> tuple[list[Row], list[Row], list[Row]]:
    """The tables `explorer`, `occurrences` and `neighbours`, the most frequent words of each set first."""
    found = (list[Row](), list[Row](), list[Row]())
    if not seen:
        return found
    pool = Pool.of(seen)
    for one in seen:
        begin = 0
        for word, occurrences in one.plan.shown.items():
            units = one.learnt.shown[begin : begin + len(occurrences), one.hits.best]
            begin += len(occurrences)
            entry = _Entry(len(found[0]), one, word, occurrences, units)
            for table, rows in zip(found, entry.rows(pool), strict=True):
                table.extend(rows)
    return found


@dataclass(frozen=True, slots=True)
class _Entry:
    """A word: the occurrences that are pictured and their unit vectors at the set's best layer."""

    number: int
    seen: Seen
    word: int
    occurrences: Integers
    units: NDArray[np.float32]

    def rows(self, pool: Pool) -> tuple[list[Row], list[Row], list[Row]]:
        """Rows for each of the three tables."""
        places, shown = plane(self.units)
        return [self._about(shown)], list(self._pictured(places)), list(self._neighbours(pool))

    def _senses(self) -> Integers:
        """The word's senses, the commonest first."""
        of = self.seen.of
        mine = np.arange(*np.searchsorted(of.word_of, (self.word, self.word + 1)))
        mine = mine[of.counts[mine] > 0]
        return mine[np.lexsort((of.ranks[mine], -of.counts[mine]))]

    def _about(self, shown: float) -> Row:
        of, learnt, hits = self.seen.of, self.seen.learnt, self.seen.hits
        senses = self._senses()
        rows = learnt.row[senses]
        curves = [[_rounded(value) for value in one] for one in alike(learnt.sums[rows], learnt.counts[rows])]
        mine = (of.word[self.seen.told.occurrence] == self.word) & hits.several
        counts = of.counts[senses].tolist()
        labels = [of.labels[sense] for sense in senses]
        right = int(hits.right[mine, hits.best].sum()), int(hits.frequent[mine].sum())
        told = (int(mine.sum()), *right)
        values = (of.name, of.words[self.word], sum(counts), labels, counts, hits.best, _rounded(shown), *curves, *told)
        return dict(zip(WORDS, (self.number, *values), strict=True))

    def _pictured(self, places: Floats) -> Iterator[Row]:
        order = {int(sense): place for place, sense in enumerate(self._senses())}
        for occurrence, (x, y) in zip(self.occurrences, places, strict=True):
            sense = order[int(self.seen.of.sense[occurrence])]
            values = (self.number, sense, _rounded(x), _rounded(y), *_context(self.seen.of, int(occurrence)))
            yield dict(zip(OCCURRENCES, values, strict=True))

    def _neighbours(self, pool: Pool) -> Iterator[Row]:
        """Of the two commonest senses, the pictured occurrence nearest to the sense's middle."""
        of, layer = self.seen.of, self.seen.hits.best
        mean = floats(pool.vectors[:, layer]).mean(axis=0)
        others = unit_or_zero(floats(pool.vectors[:, layer]) - mean)
        for place, sense in enumerate(self._senses()[:_CONTEXTS]):
            mine = np.flatnonzero(of.sense[self.occurrences] == sense)
            middle = self.units[mine].sum(axis=0)
            chosen = mine[int((self.units[mine] @ middle).argmax())]
            occurrence = int(self.occurrences[chosen])
            near = np.argsort(-(others @ (floats(self.units[chosen]) - mean)), kind="stable")
            words = self._others(pool, near, int(of.sentence[occurrence]))
            yield dict(zip(NEIGHBOURS, (self.number, place, *_context(of, occurrence), words), strict=True))

    def _others(self, pool: Pool, near: Integers, sentence: int) -> list[str]:
        """The nearest forms that are not the word's own and do not stand in the same sentence."""
        of = self.seen.of
        own = {of.form(int(place)).lower() for place in self.occurrences} | {of.words[self.word].partition(" (")[0]}
        found = dict[str, None]()
        for place in near:
            form = pool.forms[place]
            if form not in own and pool.sentences[place] != (of.name, sentence):
                found[form] = None
            if len(found) == _NEAREST:
                break
        return list(found)


def _context(of: Tagged, occurrence: int) -> tuple[str, str, str]:
    """Text before, the word, text after."""
    words = of.sentences[of.sentence[occurrence]]
    start, stop = map(int, of.span[occurrence])
    before, after = " ".join(words[max(0, start - _BEFORE) : start]), " ".join(words[stop : stop + _AFTER])
    cut_before = start > _BEFORE or len(before) > _LONGEST
    cut_after = len(words) > stop + _AFTER or len(after) > _LONGEST
    return (
        "…" * cut_before + before[-_LONGEST:],
        " ".join(words[start:stop]),
        after[:_LONGEST] + "…" * cut_after,
    )


def _rounded(value: float) -> float | None:
    return round(float(value), 4) if np.isfinite(value) else None
