"""Nearest-centroid sense prediction in two passes: the first sums the vectors of every sense, the second predicts.

Only one sum per sense and layer is stored. While a document is predicted, its own occurrences are subtracted from the
sums, so that no occurrence is predicted from itself or from its document.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.geometry.nearest_centroid import nearest_centroid
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.progress import Progress
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.word_explorer_tables import ExplorerPlan
from wordworth.studies.word_vectors_by_layer import LayerReader, span_vectors

_AT_ONCE = 128
"""Number of sentences that are encoded at a time, as their states in all layers take much memory."""
_TWO = 2
Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Centroids:
    """The sums of the vectors of each sense, and the vectors that are stored for the word explorer.

    Attributes:
        row: int64 [senses], the index of each sense's row in `sums`; -1 for the senses of a word that is left out,
            because it has a single sense in training and too few occurrences (`needed_words`).
        sums: float32 [rows, layers, d], the sum of the unit vectors of a sense's occurrences.
        counts: int64 [rows], the number of vectors in each sum.
        plotted: float32 [plotted, layers, d], unit vectors of the occurrences that the word explorer plots, in the
            order of `ExplorerPlan.occurrences`.
        pool: float32 [pool, layers, d], unit vectors of the occurrences of words in `ExplorerPlan.candidates`, in its
            order. Among them the word explorer searches the nearest neighbours of a plotted occurrence.
    """

    row: Integers
    sums: Vectors
    counts: Integers
    plotted: Vectors
    pool: Vectors


@dataclass(frozen=True, slots=True)
class SensePredictions:
    """The predicted senses of the test occurrences.

    Attributes:
        occurrence: int64 [tested], indices of the test occurrences among the data set's occurrences.
        nearest: int64 [tested, layers], the sense of the nearest centroid, an index into `SenseDataset.senses`; if
            `tied`, the most frequent sense; -1 if the word is in no other document.
        tied: bool [tested, layers], whether there are several candidate senses and all centroids are equally near.
        frequent: int64 [tested], the word's most frequent sense in other documents, an index into
            `SenseDataset.senses`; -1 if the word is in no other document.
        candidates: int64 [tested], the number of the word's senses in other documents.
    """

    occurrence: Integers
    nearest: Integers
    tied: Flags
    frequent: Integers
    candidates: Integers


def needed_words(dataset: SenseDataset, least: int) -> Flags:
    """Return for each word whether the vectors of its senses are summed, bool [words].

    The vectors are summed if the word has two senses in training, or at least `least` training occurrences.

    Args:
        dataset: the tagged sentences.
        least: the number of training occurrences that suffices.
    """
    senses = np.bincount(dataset.word_of[dataset.counts > 0], minlength=len(dataset.words))
    whole = np.bincount(dataset.word[dataset.train_mask], minlength=len(dataset.words))
    return np.asarray((senses > 1) | (whole >= least), bool)


def fit_centroids(
    model: LayerReader, dataset: SenseDataset, plan: ExplorerPlan, least: int, progress: Progress
) -> Centroids:
    """Encode the training sentences and sum, for every sense, the unit vectors of its training occurrences.

    Args:
        model: reader of the model's layers.
        dataset: the tagged sentences.
        plan: the occurrences whose vectors are stored for the word explorer: occurrences that are plotted, and
            candidates for the nearest neighbours of the plotted ones.
        least: least number of occurrences of a word with a single sense; words with fewer are left out.
        progress: receives progress.
    """
    needed = needed_words(dataset, least)[dataset.word_of]
    row = np.where(needed, np.cumsum(needed) - 1, -1)
    wanted = dataset.train_mask & (row[dataset.sense] >= 0)
    shape = (model.layers, model.width)
    sums, counts = np.zeros((int(needed.sum()), *shape), np.float32), np.zeros(int(needed.sum()), np.int64)
    plotted, pool = _VectorStore(plan.occurrences, shape), _VectorStore(np.arange(len(plan.candidates)), shape)
    sentences = np.unique(np.concatenate([dataset.sentence[wanted], plan.candidates[:, 0]]))
    with progress.step(f"{dataset.name}: learning senses with {model.name}", len(sentences)) as step:
        for begin in range(0, len(sentences), _AT_ONCE):
            block = sentences[begin : begin + _AT_ONCE]
            inside = np.flatnonzero(wanted & np.isin(dataset.sentence, block, kind="table"))
            others = np.flatnonzero(np.isin(plan.candidates[:, 0], block))
            units = _units(model, dataset, block, inside, plan.candidates[others])
            _add(sums, counts, row[dataset.sense[inside]], units[: len(inside)])
            plotted.add(inside, units[: len(inside)])
            pool.add(others, units[len(inside) :])
            step.advance(len(block))
    return Centroids(row, sums, counts, plotted.vectors, pool.vectors)


class _VectorStore:
    """A store of the vectors of wanted items (by number), in the order of `wanted`; other items are ignored."""

    def __init__(self, wanted: Integers, shape: tuple[int, ...]) -> None:
        self._row_of = {int(item): row for row, item in enumerate(wanted)}
        self.vectors: Vectors = np.zeros((len(wanted), *shape), np.float32)

    def add(self, items: Integers, vectors: Vectors) -> None:
        for item, vector in zip(items, vectors, strict=True):
            row = self._row_of.get(int(item))
            if row is not None:
                self.vectors[row] = vector


def _add(sums: Vectors, counts: Integers, rows: Integers, units: Vectors) -> None:
    present, group = np.unique(rows, return_inverse=True)
    chosen = csr_matrix(
        (np.ones(len(rows), np.float32), (group, np.arange(len(rows)))), shape=(len(present), len(rows))
    )
    sums[present] += (chosen @ units.reshape(len(rows), -1)).reshape(len(present), *units.shape[1:])
    counts[present] += np.bincount(group, units[:, -1].any(axis=-1), len(present)).astype(np.int64)


def _units(
    model: LayerReader, dataset: SenseDataset, block: Integers, inside: Integers, others: Integers | None = None
) -> NDArray[np.float32]:
    """Return the unit vectors of occurrences, then of other words, in a block of sentences, float32 [n, layers, d].

    Args:
        model: reader of the model's layers.
        dataset: the tagged sentences.
        block: int64, indices of the sentences to encode.
        inside: int64, indices of occurrences in these sentences.
        others: int64 [words, 2], the index of a sentence of the block and the index of a word in it; None for no other
            words.
    """
    index_of = {int(sentence): index for index, sentence in enumerate(block)}
    spans = [
        (index_of[int(dataset.sentence[row])], int(dataset.span[row, 0]), int(dataset.span[row, 1])) for row in inside
    ]
    spans += [
        (index_of[int(sentence)], int(word), int(word) + 1) for sentence, word in (others if others is not None else ())
    ]
    units: Vectors = unit_or_zero(span_vectors(model, [dataset.sentences[sentence] for sentence in block], spans))
    return units


def classify(model: LayerReader, dataset: SenseDataset, centroids: Centroids, progress: Progress) -> SensePredictions:
    """Predict the sense of every test occurrence by the nearest centroid.

    Occurrences in the test occurrence's own document are left out of the centroids.

    Args:
        model: reader of the model's layers.
        dataset: the tagged sentences.
        centroids: the sums of vectors that `fit_centroids` computed.
        progress: receives progress.
    """
    tested = np.flatnonzero(dataset.tested)
    predictions = SensePredictions(
        tested,
        np.full((len(tested), model.layers), -1, np.int64),
        np.zeros((len(tested), model.layers), bool),
        np.full(len(tested), -1, np.int64),
        np.zeros(len(tested), np.int64),
    )
    order = {int(occurrence): row for row, occurrence in enumerate(tested)}
    several = _ambiguous(dataset)
    with progress.step(f"{dataset.name}: predicting senses with {model.name}", len(tested)) as step:
        for inside in _documents(dataset):
            units = _ambiguous_units(model, dataset, inside, several)
            for group in _groups(dataset, inside):
                _predict_group(dataset, centroids, group, units, predictions, order)
            step.advance(int(dataset.tested[inside].sum()))
    return predictions


def _ambiguous(dataset: SenseDataset) -> Flags:
    """Return whether each word has two or more senses in training, bool [words]."""
    return np.asarray(np.bincount(dataset.word_of[dataset.counts > 0], minlength=len(dataset.words)) > 1, bool)


def _documents(dataset: SenseDataset) -> Iterator[Integers]:
    """Yield the indices of all occurrences in documents with test occurrences, a block of whole documents at a time."""
    document = dataset.document[dataset.sentence]
    taking = np.isin(document, document[dataset.tested])
    gathered, sentences = list[Integers](), 0
    for inside in np.split(np.arange(len(document)), np.flatnonzero(np.diff(document)) + 1):
        if taking[inside[0]]:
            gathered.append(inside)
            sentences += len(np.unique(dataset.sentence[inside]))
        if sentences >= _AT_ONCE:
            yield np.concatenate(gathered)
            gathered, sentences = [], 0
    if gathered:
        yield np.concatenate(gathered)


def _ambiguous_units(model: LayerReader, dataset: SenseDataset, inside: Integers, several: Flags) -> dict[int, Vectors]:
    """Return index of an occurrence -> its unit vectors [layers, d], for the words with several senses.

    Args:
        model: reader of the model's layers.
        dataset: the tagged sentences.
        inside: int64, indices of the occurrences; occurrences of words with one sense are left out.
        several: bool [words], whether each word has several senses.
    """
    wanted = inside[several[dataset.word[inside]]]
    sentences = np.unique(dataset.sentence[wanted])
    units = dict[int, Vectors]()
    for begin in range(0, len(sentences), _AT_ONCE):
        block = sentences[begin : begin + _AT_ONCE]
        in_block = wanted[np.isin(dataset.sentence[wanted], block)]
        units |= zip(map(int, in_block), _units(model, dataset, block, in_block), strict=True)
    return units


def _groups(dataset: SenseDataset, inside: Integers) -> Iterator[Integers]:
    """Yield for each document and word the indices of the word's occurrences in the document, among `inside`."""
    keys = np.stack([dataset.document[dataset.sentence[inside]], dataset.word[inside]])
    order = np.lexsort(keys[::-1])
    changes = np.flatnonzero(np.diff(keys[:, order], axis=1).any(axis=0)) + 1
    yield from np.split(inside[order], changes)


def _predict_group(
    dataset: SenseDataset,
    centroids: Centroids,
    group: Integers,
    units: dict[int, Vectors],
    predictions: SensePredictions,
    order: dict[int, int],
) -> None:
    """Predict the senses of one word's test occurrences in one document, and write them into `predictions`.

    Args:
        dataset: the tagged sentences.
        centroids: the sums of vectors of all senses.
        group: int64, indices of all occurrences of the word in the document.
        units: index of an occurrence -> its unit vectors [layers, d].
        predictions: is changed.
        order: index of a test occurrence -> its row in `predictions`.
    """
    tested = group[dataset.tested[group]]
    if not len(tested):
        return
    rows = [order[int(occurrence)] for occurrence in tested]
    own = group[dataset.train_mask[group]]
    senses = _candidates(dataset, int(dataset.word[group[0]]), own)
    predictions.candidates[rows] = len(senses)
    if not len(senses):
        return
    predictions.frequent[rows] = senses[0]
    predictions.nearest[rows] = senses[0]
    if len(senses) >= _TWO:
        sums = centroids.sums[centroids.row[senses]]
        for candidate, sense in enumerate(senses):
            for occurrence in own[dataset.sense[own] == sense]:
                sums[candidate] -= units[int(occurrence)]
        nearest = nearest_centroid(np.stack([units[int(occurrence)] for occurrence in tested]), sums)
        predictions.tied[rows] = nearest < 0
        predictions.nearest[rows] = np.where(nearest < 0, senses[0], senses[nearest])


def _candidates(dataset: SenseDataset, word: int, own: Integers) -> Integers:
    """Return the senses that a word has in training occurrences other than `own`, as indices of senses.

    The most frequent sense comes first; equally frequent senses are in the order of the dictionary.
    """
    first, last = np.searchsorted(dataset.word_of, (word, word + 1))
    senses = np.arange(first, last)
    counts = dataset.counts[first:last]
    left = counts - np.bincount(dataset.sense[own] - first, minlength=len(senses))
    by_count = np.lexsort((senses, dataset.ranks[senses], -left))
    remaining = by_count[left[by_count] > 0]
    return senses[remaining]
