"""The tables of the word explorer: words with their occurrences in a plane, curves and neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.geometry.nearest_centroid import alike
from wordworth.measures.weighted_sums import Integers
from wordworth.studies.senses.explorer_words import ExplorerPlan
from wordworth.studies.senses.nearest_centroid import Centroids, SensePredictions
from wordworth.studies.senses.scores import Hits
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.word_explorer import Context, ExplorerWord, Pool, Row, excerpt, neighbours, project, rounded

WORDS = {
    "entry": "number in the explorer, within the record",
    "data": "set",
    "word": "name in the set",
    "occurrences": "number of training occurrences",
    "senses": "readable labels of its senses, most frequent first",
    "counts": "occurrences of each sense",
    "layer": "layer of the plot and the neighbours: the one that predicts most senses right in this set",
    "shown": "share of the plotted occurrences' variance that the plane explains",
    "self_similarity": "mean cosine of two occurrences by layer from the input layer on, not adjusted",
    "same": "mean cosine of two occurrences in one sense",
    "different": "mean cosine of two occurrences in different senses",
    "tested": "number of test occurrences with several candidate senses",
    "right": "number of these predicted right at this layer",
    "frequent": "number of these for which the most frequent sense is right",
}


@dataclass(frozen=True, slots=True)
class SetResults:
    """The results on one set: its explorer plan, centroids, predictions, and which of these are right."""

    dataset: SenseDataset
    plan: ExplorerPlan
    centroids: Centroids
    predictions: SensePredictions
    hits: Hits


def explorer(seen: list[SetResults]) -> tuple[list[Row], list[Row], list[Row]]:
    """Build the tables `explorer`, `occurrences` and `neighbours`, the most frequent words of each set first."""
    tables = (list[Row](), list[Row](), list[Row]())
    pools = {layer: _pool(seen, layer) for layer in {results.hits.best for results in seen}}
    for results in seen:
        begin = 0
        for word, occurrences in results.plan.shown.items():
            units = results.centroids.shown[begin : begin + len(occurrences), results.hits.best]
            begin += len(occurrences)
            explored = _explorer_word(results, len(tables[0]), word, occurrences, units)
            rows, share = project(explored)
            tables[0].append(_word_row(results, word, explored.entry, share))
            tables[1].extend(rows)
            tables[2].extend(neighbours(explored, pools[results.hits.best]))
    return tables


def _pool(seen: list[SetResults], layer: int) -> Pool:
    """Return the candidate neighbours of all sets, in one layer."""
    words = [(results, int(sentence), int(index)) for results in seen for sentence, index in results.plan.pool]
    return Pool.of(
        np.concatenate([results.centroids.pool[:, layer] for results in seen]),
        tuple(results.dataset.sentences[sentence][index].lower() for results, sentence, index in words),
        tuple((results.dataset.name, sentence) for results, sentence, _ in words),
    )


def _senses(dataset: SenseDataset, word: int) -> Integers:
    """Return the senses of a word that occur in training, most frequent first."""
    senses = np.arange(*np.searchsorted(dataset.word_of, (word, word + 1)))
    senses = senses[dataset.counts[senses] > 0]
    return senses[np.lexsort((dataset.ranks[senses], -dataset.counts[senses]))]


def _explorer_word(
    results: SetResults, entry: int, word: int, occurrences: Integers, units: NDArray[np.float32]
) -> ExplorerWord:
    dataset = results.dataset
    order = {int(sense): rank for rank, sense in enumerate(_senses(dataset, word))}
    return ExplorerWord(
        entry=entry,
        units=units,
        senses=np.array([order[int(sense)] for sense in dataset.sense[occurrences]]),
        contexts=tuple(_context(dataset, int(occurrence)) for occurrence in occurrences),
        sentences=tuple((dataset.name, int(sentence)) for sentence in dataset.sentence[occurrences]),
        forms=frozenset(dataset.form(int(each)).lower() for each in occurrences)
        | {dataset.words[word].partition(" (")[0]},
    )


def _context(dataset: SenseDataset, occurrence: int) -> Context:
    words = dataset.sentences[dataset.sentence[occurrence]]
    start, stop = map(int, dataset.span[occurrence])
    return excerpt(" ".join(words[:start]), " ".join(words[start:stop]), " ".join(words[stop:]))


def _word_row(seen: SetResults, word: int, entry: int, share: float) -> Row:
    dataset, centroids, hits = seen.dataset, seen.centroids, seen.hits
    senses = _senses(dataset, word)
    rows = centroids.row[senses]
    curves = [[rounded(value) for value in curve] for curve in alike(centroids.sums[rows], centroids.counts[rows])]
    tested = (dataset.word[seen.predictions.occurrence] == word) & hits.several
    counts = dataset.counts[senses].tolist()
    labels = [dataset.labels[sense] for sense in senses]
    scores = int(tested.sum()), round(hits.right[tested, hits.best].sum()), int(hits.frequent[tested].sum())
    described = (dataset.name, dataset.words[word], sum(counts), labels, counts, hits.best, rounded(share))
    return dict(zip(WORDS, (entry, *described, *curves, *scores), strict=True))
