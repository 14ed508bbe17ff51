"""The word explorer of a `senses` study: its words, their occurrences as points in a plane, and nearest neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from wordworth import seeds
from wordworth.measures.geometry.nearest_centroid import mean_cosines
from wordworth.measures.weighted_sums import Integers
from wordworth.studies.senses.nearest_centroid import Centroids, SensePredictions
from wordworth.studies.senses.scores import Hits
from wordworth.studies.senses.sense_dataset import SenseDataset
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.word_explorer_tables import (
    EMPTY,
    Context,
    ExplorerPlan,
    ExplorerWord,
    Pool,
    Row,
    candidates,
    excerpt,
    rounded,
)

_SENSES, _LEAST_OF_A_SENSE, _LEAST_OF_A_WORD = 5, 3, 8
_SHORTEST = 3


def plan_explorer(sets: Sequence[SenseDataset], settings: SensesSettings) -> dict[str, ExplorerPlan]:
    """Return name of each data set -> the words of this set that the word explorer shows, with stored occurrences.

    The setting `words` is the number of words in all. Each data set has an equal share; if a data set has fewer words
    than its share, the other sets have more.
    """
    eligible = {dataset.name: _eligible(dataset) for dataset in sets}
    left, by_set = settings.words, dict[str, ExplorerPlan]()
    waiting = sorted(sets, key=lambda dataset: len(eligible[dataset.name]))
    for index, dataset in enumerate(waiting):
        share = -(-left // (len(waiting) - index))
        words = eligible[dataset.name][:share]
        left -= len(words)
        plotted = {word: _draw_occurrences(dataset, word, settings) for word in words}
        pool = _draw_pool(dataset, settings.pool // len(sets), settings.seed) if words else EMPTY.candidates
        by_set[dataset.name] = ExplorerPlan(plotted, pool)
    return by_set


def _eligible(dataset: SenseDataset) -> list[int]:
    """Return the indices of words that have two senses with enough training occurrences, most frequent first."""
    often = np.bincount(dataset.word_of[dataset.counts >= _LEAST_OF_A_SENSE], minlength=len(dataset.words))
    whole = np.bincount(dataset.word[dataset.train_mask], minlength=len(dataset.words))
    fit = np.flatnonzero((often > 1) & (whole >= _LEAST_OF_A_WORD))
    return [int(word) for word in fit[np.lexsort((fit, -whole[fit]))]]


def _draw_occurrences(dataset: SenseDataset, word: int, settings: SensesSettings) -> Integers:
    """Draw training occurrences of a word's most frequent senses, in proportion to frequency; return their indices.

    At least `_LEAST_OF_A_SENSE` occurrences of each sense are drawn, or all if the sense has fewer.
    """
    rng = seeds.child(settings.seed, "senses", "picture", dataset.seed_name, dataset.words[word])
    own = np.flatnonzero((dataset.word == word) & dataset.train_mask)
    senses, counts = np.unique(dataset.sense[own], return_counts=True)
    common = np.lexsort((senses, -counts))[:_SENSES]
    common = common[(counts[common] >= _LEAST_OF_A_SENSE) | (np.arange(len(common)) < 2)]  # noqa: PLR2004 - the two most frequent
    room = settings.shown * counts[common] / counts[common].sum()
    sizes = np.minimum(counts[common], np.maximum(_LEAST_OF_A_SENSE, room.astype(np.int64)))
    chosen = [
        rng.choice(own[dataset.sense[own] == sense], size, replace=False)
        for sense, size in zip(senses[common], sizes, strict=True)
    ]
    return np.concatenate(chosen)


def _draw_pool(dataset: SenseDataset, number: int, seed: int) -> Integers:
    """Draw candidate neighbours uniformly, without stop words, and at most two that are written alike.

    Args:
        dataset: the tagged sentences; the words are from sentences with training occurrences.
        number: the largest number of words to draw.
        seed: seed of the draw.

    Returns:
        int64 [pool, 2], the index of a sentence and the index of a word in it, as `ExplorerPlan.candidates`.
    """
    read = np.unique(dataset.sentence[dataset.train_mask])
    lengths = np.array([len(dataset.sentences[sentence]) for sentence in read])
    ends = np.cumsum(lengths)
    order = seeds.child(seed, "senses", "pool", dataset.seed_name).permutation(int(ends[-1]))

    def word_at(position: int) -> tuple[int, int]:
        row = int(np.searchsorted(ends, position, side="right"))
        return int(read[row]), int(position - ends[row] + lengths[row])

    forms = (dataset.sentences[sentence][index].lower() for sentence, index in map(word_at, order))
    drawn = [word_at(order[position]) for position in islice(candidates(forms, _is_candidate), number)]
    return np.array(sorted(drawn), np.int64).reshape(-1, 2)


def _is_candidate(form: str) -> bool:
    return len(form) >= _SHORTEST and form.isalpha() and form not in ENGLISH_STOP_WORDS


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
_CURVES = ("self_similarity", "same", "different")


@dataclass(frozen=True, slots=True)
class SetResults:
    """The results of one model on one data set: centroids, predictions and their scores.

    `plan` has the occurrences whose vectors are stored for the word explorer.
    """

    dataset: SenseDataset
    plan: ExplorerPlan
    centroids: Centroids
    predictions: SensePredictions
    hits: Hits


def entries(results: list[SetResults]) -> Iterator[tuple[ExplorerWord, Pool, Row]]:
    """Yield (word, pool, row of the table `explorer`) for each word of the word explorer.

    The word explorer is a figure of the page: a word's occurrences in a plane, with their nearest neighbours. The pool
    has the occurrences of words among which the word's nearest neighbours are searched. The words of a data set follow
    each other, the most frequent word first.

    Args:
        results: results of the data sets.
    """
    pools = {layer: _pool(results, layer) for layer in {each.hits.best for each in results}}
    numbers = count()
    for each in results:
        begin = 0
        for word, occurrences in each.plan.plotted.items():
            units = each.centroids.plotted[begin : begin + len(occurrences), each.hits.best]
            begin += len(occurrences)
            explored = _explorer_word(each, next(numbers), word, occurrences, units)
            yield explored, pools[each.hits.best], _word_row(each, word)


def _pool(results: list[SetResults], layer: int) -> Pool:
    """Return the candidate neighbours of all data sets, with their vectors in one layer."""
    words = [(each, int(sentence), int(index)) for each in results for sentence, index in each.plan.candidates]
    return Pool.of(
        np.concatenate([each.centroids.pool[:, layer] for each in results]),
        tuple(each.dataset.sentences[sentence][index].lower() for each, sentence, index in words),
        tuple((each.dataset.name, sentence) for each, sentence, _ in words),
    )


def _senses(dataset: SenseDataset, word: int) -> Integers:
    """Return the senses of a word that occur in training, as indices of senses, most frequent first."""
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


def _word_row(seen: SetResults, word: int) -> Row:
    dataset, centroids, hits = seen.dataset, seen.centroids, seen.hits
    senses = _senses(dataset, word)
    rows, counts = centroids.row[senses], dataset.counts[senses].tolist()
    curves = mean_cosines(centroids.sums[rows], centroids.counts[rows])
    tested = (dataset.word[seen.predictions.occurrence] == word) & hits.several
    return {
        "data": dataset.name,
        "word": dataset.words[word],
        "occurrences": sum(counts),
        "senses": [dataset.labels[sense] for sense in senses],
        "counts": counts,
        "layer": hits.best,
        **{name: [rounded(value) for value in curve] for name, curve in zip(_CURVES, curves, strict=True)},
        "tested": int(tested.sum()),
        "right": round(hits.right[tested, hits.best].sum()),
        "frequent": int(hits.frequent[tested].sum()),
    }
