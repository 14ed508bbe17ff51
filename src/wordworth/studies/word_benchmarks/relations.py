"""Scores on pairs rated by how well they exemplify a relation (SemEval-2012 task 2).

The items are all pairs: of each relation its prototypical pairs (`models`) first, then its rated pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.correlation import spearman
from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats
from wordworth.measures.words.relations import likeness
from wordworth.studies.word_benchmarks.files import Relations
from wordworth.studies.word_benchmarks.scores import LEAST, UNDEFINED, Score, Scored, Subset
from wordworth.studies.word_benchmarks.word_lookup import WordVectors

_METRIC = "mean spearman"


def related(content: Relations) -> Integers:
    """Return the relation of each item, int64 [n]; prototypical pairs before rated ones."""
    sizes = [len(relation.models) + len(relation.pairs) for relation in content.relations]
    return np.repeat(np.arange(len(sizes)), sizes)


def relations(content: Relations, vectors: WordVectors) -> tuple[Flags, tuple[str, ...], Scored]:
    """Return the items that a table knows, the metric's name, and the score: mean Spearman correlation over relations.

    A relation counts if the subset has at least one of its prototypical pairs and `LEAST` of its rated ones; the score
    is undefined where fewer than `LEAST` relations count.
    """
    pairs = [pair for relation in content.relations for pair in (*relation.models, *relation.pairs)]
    rows = vectors.find([word for pair in pairs for word in pair]).reshape(-1, 2)
    relation_of = related(content)

    def score(subset: Subset, weights: Floats) -> dict[str, Score]:
        by_relation = floats(list(_correlations(content, vectors, rows, subset.items)))
        counts = np.isfinite(by_relation)
        if counts.sum() < LEAST:
            return {_METRIC: UNDEFINED}
        counted = weights[
            :, np.searchsorted(relation_of, np.flatnonzero(counts))
        ]  # items of a relation are drawn together
        values = counted @ by_relation[counts] / np.maximum(counted.sum(axis=1), 1e-300)
        return {_METRIC: Score(float(values[0]), values[1:])}

    return (rows >= 0).all(axis=1).reshape(-1), (_METRIC,), score


def _correlations(content: Relations, vectors: WordVectors, rows: NDArray[np.int64], items: Flags) -> Iterator[float]:
    """Yield Spearman's correlation within each relation; NaN where too few of its pairs are among the items."""
    start = 0
    for relation in content.relations:
        middle = start + len(relation.models)
        end = middle + len(relation.pairs)
        prototypes, rated = rows[start:middle][items[start:middle]], rows[middle:end][items[middle:end]]
        ratings = floats(relation.ratings)[items[middle:end]]
        yield _correlation(_pair_vectors(prototypes, vectors), _pair_vectors(rated, vectors), ratings)
        start = end


def _correlation(
    prototypes: NDArray[np.float32], rated: NDArray[np.float32], ratings: Sequence[float] | Floats
) -> float:
    if len(prototypes) == 0 or len(rated) < LEAST:
        return np.nan
    return float(spearman(floats(ratings), likeness(prototypes, rated), np.ones((1, len(rated))))[0])


def _pair_vectors(rows: NDArray[np.int64], vectors: WordVectors) -> NDArray[np.float32]:
    return vectors.at(rows.ravel()).reshape(*rows.shape, -1)
