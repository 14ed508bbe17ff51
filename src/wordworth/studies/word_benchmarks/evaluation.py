"""`Benchmark`: the scores of every static table on one word benchmark, paired differences and misjudged pairs.

A policy says how items with missing words are scored: `MEAN` puts the table's mean vector in place of a missing word,
`DROP` leaves out the items, and `COMMON` scores the items of which all tables have every word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Flags, Floats
from wordworth.studies.word_benchmarks.benchmark_catalogue import WordSet
from wordworth.studies.word_benchmarks.benchmark_files import Content, Pairs
from wordworth.studies.word_benchmarks.score_on_benchmark import Score, Subset, groups, make_task
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.word_lookup import WordVectors

EACH = 3
"""Number of pairs that are listed as too similar by a table, and of those listed as too dissimilar."""


class Misjudged(NamedTuple):
    """A pair of words that a table of word vectors and people rank differently.

    Attributes:
        first, second: the words.
        people: rank of the pair by people's ratings, among the pairs that are considered, scaled to 0 (least similar)
            to 1.
        table: the same by the table's cosines.
    """

    first: str
    second: str
    people: float
    table: float


def misjudged(content: Pairs, pair_cosines: Floats, items: Flags) -> list[Misjudged]:
    """Return the word pairs that a static table ranks most differently from people.

    Pairs that are too similar by the table come first, then those that are too dissimilar.

    Args:
        content: pairs of words with people's ratings.
        pair_cosines: float64 [pairs], the cosine of each pair by the table.
        items: bool [pairs], the pairs that are considered.
    """
    counted = np.flatnonzero(items)
    people, table = (_shares(side[counted]) for side in (np.array(content.ratings), pair_cosines))
    order = np.argsort(people - table, kind="stable")
    chosen = [index for index in order[:EACH] if table[index] > people[index]]
    chosen += [index for index in order[::-1][:EACH] if table[index] < people[index]]
    return [
        Misjudged(content.first[counted[k]], content.second[counted[k]], float(people[k]), float(table[k]))
        for k in chosen
    ]


def _shares(values: Floats) -> Floats:
    """Return the ranks of the values, scaled to between 0 and 1; equal values get the mean of their ranks."""
    ranks: Floats = (rankdata(values) - 0.5) / len(values)
    return ranks


MEAN, DROP, COMMON = "mean", "drop", "common"


class BenchmarkScore(NamedTuple):
    """The score of one table of word vectors on one benchmark under one policy for missing words.

    Attributes:
        model: name of the table.
        word_set: the benchmark.
        metric: name of the metric.
        policy: how items with missing words are scored: `MEAN`, `DROP` or `COMMON`.
        score: the score with its bootstrap distribution.
        items: number of items scored.
        total: number of items in the benchmark.
        candidates: number of candidate answers of an analogy; None for other kinds of benchmarks.
    """

    model: str
    word_set: WordSet
    metric: str
    policy: str
    score: Score
    items: int
    total: int
    candidates: int | None


class PairedDifference(NamedTuple):
    """The score of one static table minus the score of a second table, on the items of which both have every word.

    Attributes:
        model: name of the table.
        against: name of the table whose score is subtracted.
        word_set: the benchmark.
        metric: name of the metric.
        score: the difference with its bootstrap distribution.
        items: number of items scored.
    """

    model: str
    against: str
    word_set: WordSet
    metric: str
    score: Score
    items: int


class Benchmark:
    """A word benchmark with several static tables of word vectors to score.

    Scores are cached by table and subset of items.

    Args:
        word_set: the benchmark.
        content: the items of the benchmark.
        tables: the tables of word vectors.
        settings: settings of the study.
    """

    def __init__(
        self, word_set: WordSet, content: Content, tables: Sequence[WordVectors], settings: WordsSettings
    ) -> None:
        self.word_set, self.content, self.tables = word_set, content, {table.name: table for table in tables}
        group = groups(content)
        drawn = item_weights(len(group), settings.draws, seeds.child(settings.seed, "words", word_set.name), group)
        self.weights = np.concatenate([np.ones((1, len(group))), drawn])
        self.tasks = {table.name: make_task(content, table, settings) for table in tables}
        self.lowered = {table.name: table.lowered() for table in tables} if word_set.kind == "analogy" else {}
        self.cached_scores: dict[object, dict[str, Score]] = {}

    def cells(self) -> Iterator[BenchmarkScore]:
        """Yield the scores of every static table under every policy for missing words.

        The policy `COMMON` is used only if there are several tables.
        """
        for name, task in self.tasks.items():
            subsets = {MEAN: Subset(np.ones_like(task.known)), DROP: Subset(task.known)}
            if len(self.tasks) > 1:
                subsets[COMMON] = self.shared(tuple(self.tasks))
            for policy, subset in subsets.items():
                items, total, candidates = int(subset.items.sum()), len(subset.items), self._candidates(name, subset)
                for metric, score in self.score_subset(name, subset).items():
                    yield BenchmarkScore(name, self.word_set, metric, policy, score, items, total, candidates)

    def gaps(self) -> Iterator[PairedDifference]:
        """Yield each static table's score minus the first table's, on items of which both tables have every word."""
        first, *others = self.tasks
        for name in others:
            subset = self.shared((first, name))
            against = self.score_subset(first, subset)
            for metric, score in self.score_subset(name, subset).items():
                if score.defined and against[metric].defined:
                    yield PairedDifference(
                        name, first, self.word_set, metric, score.minus(against[metric]), int(subset.items.sum())
                    )

    def misjudged(self) -> Iterator[tuple[str, Misjudged]]:
        """Yield (name of a table, pair) for the word pairs that each static table ranks most differently from people.

        Only pairs of which all tables have both words are considered.
        """
        for name, task in self.tasks.items():
            subset = self.shared(tuple(self.tasks))
            scored = any(score.defined for score in self.score_subset(name, subset).values())
            if scored and task.pair_cosines is not None and isinstance(self.content, Pairs):
                yield from ((name, pair) for pair in misjudged(self.content, task.pair_cosines, subset.items))

    def shared(self, names: Sequence[str]) -> Subset:
        """Return the subset of items of which all of the named static tables have every word.

        For analogies the subset also has the candidate answers: the words that all these tables have.
        """
        items = np.logical_and.reduce([self.tasks[name].known for name in names])
        words = frozenset.intersection(*(self.lowered[name] for name in names)) if self.lowered else None
        return Subset(items, words)

    def score_subset(self, name: str, subset: Subset) -> dict[str, Score]:
        """Return name of each metric -> score of a static table on a subset of the benchmark's items."""
        key = (name, subset.key)
        if key not in self.cached_scores:
            self.cached_scores[key] = self.tasks[name].score_subset(subset, self.weights)
        return self.cached_scores[key]

    def _candidates(self, name: str, subset: Subset) -> int | None:
        return len(self.tables[name].rows_among(subset.words)) if self.lowered else None
