"""Sets as lists of items, each scored or missing, and the scores of resampled items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.correlation import spearman
from wordworth.measures.sums import Flags, Floats, Integers, floats
from wordworth.measures.words.analogies import Questions, answers
from wordworth.measures.words.categories import clusterings, purity
from wordworth.measures.words.relations import likeness
from wordworth.measures.words.similarity import cosines, shared_words
from wordworth.studies.words.sets import Analogies, Categories, Content, Pairs, Relation, Relations
from wordworth.studies.words.settings import WordsSettings
from wordworth.studies.words.vectors import WordVectors

Scored = Callable[[Flags, Floats, bool], dict[str, Floats]]
"""Which items count, bool [n]; weights, float64 [draws, n]; whether the mean stands for missing words. What comes back:
metric -> its value in each draw, float64 [draws]."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One table on one set.

    Attributes:
        known: bool [n], the items of which the table has every word.
        score: the metrics of some of the items.
    """

    known: Flags
    score: Scored


def groups(content: Content) -> Integers:
    """int64 [n], what is drawn together: pairs that share a word, questions of one model pair, else each item alone."""
    if isinstance(content, Pairs):
        return shared_words(content.first, content.second)
    if isinstance(content, Analogies):
        pairs = [question[:2] for question in content.questions]
        number = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
        return np.array([number[pair] for pair in pairs], dtype=np.int64)
    count = len(content.words) if isinstance(content, Categories) else len(content.relations)
    return np.arange(count)


def words_of(content: Content) -> list[str]:
    """Every word of a set, repeats with it."""
    if isinstance(content, Pairs):
        return [*content.first, *content.second]
    if isinstance(content, Analogies):
        return [word for question in content.questions for word in question]
    if isinstance(content, Categories):
        return list(content.words)
    pairs = [pair for relation in content.relations for pair in (*relation.models, *relation.pairs)]
    return [word for pair in pairs for word in pair]


def sheet(content: Content, vectors: WordVectors, settings: WordsSettings) -> Sheet:
    """What a table says of a set."""
    if isinstance(content, Pairs):
        return _pairs(content, vectors)
    if isinstance(content, Analogies):
        return _analogies(content, vectors, settings)
    if isinstance(content, Categories):
        return _categories(content, vectors, settings)
    return _relations(content, vectors)


def _pairs(content: Pairs, vectors: WordVectors) -> Sheet:
    first, second = vectors.find(content.first), vectors.find(content.second)
    likely, gold = cosines(vectors.at(first), vectors.at(second)), np.array(content.ratings)

    def score(items: Flags, weights: Floats, filled: bool) -> dict[str, Floats]:  # noqa: ARG001, FBT001 - a Scored
        return {"spearman": spearman(gold[items], likely[items], weights[:, items])}

    return Sheet((first >= 0) & (second >= 0), score)


def _analogies(content: Analogies, vectors: WordVectors, settings: WordsSettings) -> Sheet:
    rows = np.stack([vectors.find(side) for side in zip(*content.questions, strict=True)], axis=1)
    able = np.flatnonzero(rows[:, 3] >= 0)  # whose answer is no candidate cannot be answered
    a, b, c = (vectors.at(rows[able, side]) for side in range(3))
    right = np.zeros(len(rows))
    right[able] = answers(vectors.vectors, Questions(a, b, c, rows[able, :3]), settings.method) == rows[able, 3]

    def score(items: Flags, weights: Floats, filled: bool) -> dict[str, Floats]:  # noqa: ARG001, FBT001 - a Scored
        counted = weights[:, items]
        return {"accuracy": counted @ right[items] / np.maximum(counted.sum(axis=1), 1e-300)}

    return Sheet((rows >= 0).all(axis=-1).reshape(-1), score)


def _categories(content: Categories, vectors: WordVectors, settings: WordsSettings) -> Sheet:
    rows = vectors.find(content.words)
    truth = np.unique(content.labels, return_inverse=True)[1]
    seed = seeds.child_seed(settings.seed, "k-means")

    def score(items: Flags, weights: Floats, filled: bool) -> dict[str, Floats]:  # noqa: ARG001, FBT001 - a Scored
        gold = np.unique(truth[items], return_inverse=True)[1]
        found = clusterings(vectors.at(rows[items]), int(gold.max()) + 1, seed)
        whole = np.ones((1, len(gold)))
        best = max(found, key=lambda name: float(purity(found[name], gold, whole)[0]))
        chosen = {"purity, best of six": best, "purity, average linkage": "average, cosine"}
        return {metric: purity(found[name], gold, weights[:, items]) for metric, name in chosen.items()}

    return Sheet(rows >= 0, score)


def _relations(content: Relations, vectors: WordVectors) -> Sheet:
    """A relation is known where at least one of its model pairs and two of its rated pairs are."""
    found = [_relation(relation, vectors) for relation in content.relations]
    points = {filled: floats([one[filled] for one in found]) for filled in (True, False)}
    known = np.isfinite(points[False])

    def score(items: Flags, weights: Floats, filled: bool) -> dict[str, Floats]:  # noqa: FBT001 - a Scored
        counted = weights[:, items]
        return {"mean spearman": counted @ points[filled][items] / np.maximum(counted.sum(axis=1), 1e-300)}

    return Sheet(known, score)


def _relation(relation: Relation, vectors: WordVectors) -> dict[bool, float]:
    """Spearman's correlation with the mean for missing words, and without the pairs that have one (NaN: none left)."""
    models, pairs = _rows(relation.models, vectors), _rows(relation.pairs, vectors)
    found = {}
    for filled in (True, False):
        shown, asked = ((rows >= 0).all(axis=1) | filled for rows in (models, pairs))
        if not shown.any() or asked.sum() < 2:  # noqa: PLR2004 - one pair has no order
            found[filled] = np.nan
            continue
        likely = likeness(_both(models[shown], vectors), _both(pairs[asked], vectors))
        found[filled] = float(spearman(floats(relation.ratings)[asked], likely, np.ones((1, len(likely))))[0])
    return found


def _rows(pairs: tuple[tuple[str, str], ...], vectors: WordVectors) -> NDArray[np.int64]:
    return vectors.find([word for pair in pairs for word in pair]).reshape(-1, 2)


def _both(rows: NDArray[np.int64], vectors: WordVectors) -> NDArray[np.float32]:
    return vectors.at(rows.ravel()).reshape(*rows.shape, -1)
