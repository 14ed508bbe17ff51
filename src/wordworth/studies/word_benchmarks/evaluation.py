"""One benchmark under every table and policy for missing words, and the paired gaps between tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.studies.word_benchmarks.catalogue import WordSet
from wordworth.studies.word_benchmarks.files import Content, Pairs
from wordworth.studies.word_benchmarks.misjudged import Misjudged, misjudged
from wordworth.studies.word_benchmarks.scores import Score, Subset
from wordworth.studies.word_benchmarks.scoring import groups, sheet
from wordworth.studies.word_benchmarks.settings import WordsSettings
from wordworth.studies.word_benchmarks.word_lookup import WordVectors

MEAN, DROP, COMMON = "mean", "drop", "common"


class BenchmarkScore(NamedTuple):
    """One table's score on one set under one policy; `candidates` may answer an analogy, None elsewhere."""

    model: str
    of: WordSet
    metric: str
    policy: str
    score: Score
    items: int
    total: int
    candidates: int | None


class PairedDifference(NamedTuple):
    """One table's score less another's on the items of which both have every word."""

    model: str
    against: str
    of: WordSet
    metric: str
    score: Score
    items: int


class Benchmark:
    """A benchmark ready to be scored; what was scored on one ground is not scored again."""

    def __init__(self, one: WordSet, content: Content, tables: Sequence[WordVectors], settings: WordsSettings) -> None:
        self.one, self.content, self.tables = one, content, {table.name: table for table in tables}
        group = groups(content)
        drawn = item_weights(len(group), settings.draws, seeds.child(settings.seed, "words", one.name), group)
        self.weights = np.concatenate([np.ones((1, len(group))), drawn])
        self.sheets = {table.name: sheet(content, table, settings) for table in tables}
        self.lowered = {table.name: table.lowered() for table in tables} if one.kind == "analogy" else {}
        self.kept: dict[object, dict[str, Score]] = {}

    def cells(self) -> Iterator[BenchmarkScore]:
        """Every table under every policy; `COMMON` only where there are several tables."""
        for name, found in self.sheets.items():
            grounds = {MEAN: Subset(np.ones_like(found.known)), DROP: Subset(found.known)}
            if len(self.sheets) > 1:
                grounds[COMMON] = self.shared(tuple(self.sheets))
            for policy, ground in grounds.items():
                items, total, candidates = int(ground.items.sum()), len(ground.items), self._candidates(name, ground)
                for metric, score in self.measured(name, ground).items():
                    yield BenchmarkScore(name, self.one, metric, policy, score, items, total, candidates)

    def gaps(self) -> Iterator[PairedDifference]:
        """Each table against the first, where both have a score on what both know."""
        first, *others = self.sheets
        for name in others:
            ground = self.shared((first, name))
            against = self.measured(first, ground)
            for metric, score in self.measured(name, ground).items():
                if score.defined and against[metric].defined:
                    yield PairedDifference(
                        name, first, self.one, metric, score.less(against[metric]), int(ground.items.sum())
                    )

    def misjudged(self) -> Iterator[tuple[str, Misjudged]]:
        """Of each table, pairs that it puts where people do not, among those that are shown."""
        for name, found in self.sheets.items():
            ground = self.shared(tuple(self.sheets))
            scored = any(score.defined for score in self.measured(name, ground).values())
            if scored and found.likely is not None and isinstance(self.content, Pairs):
                yield from ((name, pair) for pair in misjudged(self.content, found.likely, ground.items))

    def shared(self, names: Sequence[str]) -> Subset:
        """The items, and for analogies the words, that all of these tables have."""
        items = np.logical_and.reduce([self.sheets[name].known for name in names])
        words = frozenset.intersection(*(self.lowered[name] for name in names)) if self.lowered else None
        return Subset(items, words)

    def measured(self, name: str, ground: Subset) -> dict[str, Score]:
        """A table's scores on a ground."""
        key = (name, ground.key)
        if key not in self.kept:
            self.kept[key] = self.sheets[name].measured(ground, self.weights)
        return self.kept[key]

    def _candidates(self, name: str, ground: Subset) -> int | None:
        return len(self.tables[name].among(ground.words)) if self.lowered else None
