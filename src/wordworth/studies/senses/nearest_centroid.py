"""Two readings of a set: the first sums up every sense, the second tells each word's sense by other documents' sums.

What is held is one sum a sense and layer, never the occurrences: the sums of a document's own occurrences are taken
off again while that document is told, so that nothing is told by itself or by its neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.geometry.nearest_centroid import nearest_centroid, unit_or_zero
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.progress import Progress
from wordworth.studies.senses.explorer_words import Plan
from wordworth.studies.senses.readers import Reader, spans_of
from wordworth.studies.senses.sense_dataset import SenseDataset

_AT_ONCE = 128
"""Sentences read at a time: their states under all layers are the largest thing held beside the sums."""
_TWO = 2
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Centroids:
    """The first reading.

    Attributes:
        row: int64 [senses], each sense's row in `sums`; -1 for one of no use here.
        sums: float32 [rows, layers, d], sums of unit vectors.
        counts: int64 [rows], how many are in each.
        shown: float32 [occurrences shown, layers, d], unit vectors in the order of the plan.
        pool: float32 [pool, layers, d], unit vectors.
    """

    row: Integers
    sums: Vectors
    counts: Integers
    shown: Vectors
    pool: Vectors


@dataclass(frozen=True, slots=True)
class SensePredictions:
    """The second reading, of the occurrences that are tested.

    Attributes:
        occurrence: int64 [tested], into the set.
        nearest: int64 [tested, layers], the sense of the nearest centroid, the most frequent one where `tied`; -1 where
            no other document has the word.
        tied: bool [tested, layers], where there are several candidates and the vectors do not tell one from another.
        frequent: int64 [tested], the word's most frequent sense in other documents, or -1.
        candidates: int64 [tested], senses that other documents show.
    """

    occurrence: Integers
    nearest: Integers
    tied: Flags
    frequent: Integers
    candidates: Integers


def useful(of: SenseDataset, least: int) -> Flags:
    """Which words have two senses taught, or are taught often enough to be explained; bool [words]."""
    senses = np.bincount(of.word_of[of.counts > 0], minlength=len(of.words))
    whole = np.bincount(of.word[of.train_mask], minlength=len(of.words))
    return np.asarray((senses > 1) | (whole >= least), bool)


def fit_centroids(model: Reader, of: SenseDataset, plan: Plan, least: int, progress: Progress) -> Centroids:
    """Read everything that teaches."""
    mine = useful(of, least)[of.word_of]
    row = np.where(mine, np.cumsum(mine) - 1, -1)
    wanted = of.train_mask & (row[of.sense] >= 0)
    shape = (model.layers, model.width)
    sums, counts = np.zeros((int(mine.sum()), *shape), np.float32), np.zeros(int(mine.sum()), np.int64)
    shown, pool = _Kept(plan.occurrences, shape), _Kept(np.arange(len(plan.pool)), shape)
    sentences = np.unique(np.concatenate([of.sentence[wanted], plan.pool[:, 0]]))
    with progress.step(f"{of.name}: learning senses with {model.name}", len(sentences)) as step:
        for begin in range(0, len(sentences), _AT_ONCE):
            block = sentences[begin : begin + _AT_ONCE]
            inside = np.flatnonzero(wanted & np.isin(of.sentence, block, kind="table"))
            others = np.flatnonzero(np.isin(plan.pool[:, 0], block))
            units = _units(model, of, block, inside, plan.pool[others])
            _add(sums, counts, row[of.sense[inside]], units[: len(inside)])
            shown.add(inside, units[: len(inside)])
            pool.add(others, units[len(inside) :])
            step.advance(len(block))
    return Centroids(row, sums, counts, shown.vectors, pool.vectors)


class _Kept:
    """Vectors of numbered things, in the order in which those were asked for."""

    def __init__(self, wanted: Integers, shape: tuple[int, ...]) -> None:
        self._place = {int(one): place for place, one in enumerate(wanted)}
        self.vectors: Vectors = np.zeros((len(wanted), *shape), np.float32)

    def add(self, numbers: Integers, vectors: Vectors) -> None:
        for number, vector in zip(numbers, vectors, strict=True):
            place = self._place.get(int(number))
            if place is not None:
                self.vectors[place] = vector


def _add(sums: Vectors, counts: Integers, rows: Integers, units: Vectors) -> None:
    present, places = np.unique(rows, return_inverse=True)
    chosen = csr_matrix(
        (np.ones(len(rows), np.float32), (places, np.arange(len(rows)))), shape=(len(present), len(rows))
    )
    sums[present] += (chosen @ units.reshape(len(rows), -1)).reshape(len(present), *units.shape[1:])
    counts[present] += np.bincount(places, units[:, -1].any(axis=-1), len(present)).astype(np.int64)


def _units(
    model: Reader, of: SenseDataset, block: Integers, inside: Integers, others: Integers | None = None
) -> NDArray[np.float32]:
    """float32 [occurrences + others, layers, d], unit vectors of tagged and of other words of some sentences."""
    place = {int(sentence): at for at, sentence in enumerate(block)}
    spans = [(place[int(of.sentence[one])], int(of.span[one, 0]), int(of.span[one, 1])) for one in inside]
    spans += [(place[int(sentence)], int(at), int(at) + 1) for sentence, at in (others if others is not None else ())]
    found: Vectors = unit_or_zero(spans_of(model, [of.sentences[sentence] for sentence in block], spans))
    return found


def classify(model: Reader, of: SenseDataset, learnt: Centroids, progress: Progress) -> SensePredictions:
    """Tell the sense of every tested word, each document by the others."""
    tested = np.flatnonzero(of.tested)
    told = SensePredictions(
        tested,
        np.full((len(tested), model.layers), -1, np.int64),
        np.zeros((len(tested), model.layers), bool),
        np.full(len(tested), -1, np.int64),
        np.zeros(len(tested), np.int64),
    )
    order = {int(occurrence): place for place, occurrence in enumerate(tested)}
    several = _several(of)
    with progress.step(f"{of.name}: telling senses with {model.name}", len(tested)) as step:
        for inside in _documents(of):
            units = _of_several(model, of, inside, several)
            for group in _groups(of, inside):
                _word(of, learnt, group, units, told, order)
            step.advance(int(of.tested[inside].sum()))
    return told


def _several(of: SenseDataset) -> Flags:
    """Which words have two senses taught anywhere; bool [words]."""
    return np.asarray(np.bincount(of.word_of[of.counts > 0], minlength=len(of.words)) > 1, bool)


def _documents(of: SenseDataset) -> Iterator[Integers]:
    """Occurrences of whole documents that have tested ones, some sentences at a time."""
    document = of.document[of.sentence]
    taking = np.isin(document, document[of.tested])
    gathered, sentences = list[Integers](), 0
    for inside in np.split(np.arange(len(document)), np.flatnonzero(np.diff(document)) + 1):
        if taking[inside[0]]:
            gathered.append(inside)
            sentences += len(np.unique(of.sentence[inside]))
        if sentences >= _AT_ONCE:
            yield np.concatenate(gathered)
            gathered, sentences = [], 0
    if gathered:
        yield np.concatenate(gathered)


def _of_several(model: Reader, of: SenseDataset, inside: Integers, several: Flags) -> dict[int, Vectors]:
    """The unit vector of each occurrence whose word has several senses, read some sentences at a time."""
    wanted = inside[several[of.word[inside]]]
    sentences = np.unique(of.sentence[wanted])
    found = dict[int, Vectors]()
    for begin in range(0, len(sentences), _AT_ONCE):
        block = sentences[begin : begin + _AT_ONCE]
        mine = wanted[np.isin(of.sentence[wanted], block)]
        found |= zip(map(int, mine), _units(model, of, block, mine), strict=True)
    return found


def _groups(of: SenseDataset, inside: Integers) -> Iterator[Integers]:
    """Occurrences of one word in one document."""
    keys = np.stack([of.document[of.sentence[inside]], of.word[inside]])
    order = np.lexsort(keys[::-1])
    changes = np.flatnonzero(np.diff(keys[:, order], axis=1).any(axis=0)) + 1
    yield from np.split(inside[order], changes)


def _word(
    of: SenseDataset,
    learnt: Centroids,
    group: Integers,
    units: dict[int, Vectors],
    told: SensePredictions,
    order: dict[int, int],
) -> None:
    """Tell the tested ones of a document's occurrences of one word."""
    tested = group[of.tested[group]]
    if not len(tested):
        return
    places = [order[int(one)] for one in tested]
    own = group[of.train_mask[group]]
    senses = _candidates(of, int(of.word[group[0]]), own)
    told.candidates[places] = len(senses)
    if not len(senses):
        return
    told.frequent[places] = senses[0]
    told.nearest[places] = senses[0]
    if len(senses) >= _TWO:
        sums = learnt.sums[learnt.row[senses]]
        for place, sense in enumerate(senses):
            for one in own[of.sense[own] == sense]:
                sums[place] -= units[int(one)]
        nearest = nearest_centroid(np.stack([units[int(one)] for one in tested]), sums)
        told.tied[places] = nearest < 0
        told.nearest[places] = np.where(nearest < 0, senses[0], senses[nearest])


def _candidates(of: SenseDataset, word: int, own: Integers) -> Integers:
    """Senses of a word that others than its `own` occurrences show, the most frequent first (then the dictionary's)."""
    first, last = np.searchsorted(of.word_of, (word, word + 1))
    mine = np.arange(first, last)
    taught = of.counts[first:last]
    left = taught - np.bincount(of.sense[own] - first, minlength=len(mine))
    by_count = np.lexsort((mine, of.ranks[mine], -left))
    kept = by_count[left[by_count] > 0]
    return mine[kept]
