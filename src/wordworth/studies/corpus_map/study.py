"""`search map` from an index to clusters, their words and texts, a map, and a `Record` of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import require_distinct
from wordworth.measures.weighted_sums import Integers
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.retrieval.index import Index
from wordworth.sentence_formatting import count_of
from wordworth.studies.corpus_map.cluster_assignment import Assignment, assign, unit_vectors
from wordworth.studies.corpus_map.cluster_count import (
    SAMPLE,
    TEXTS_EACH,
    ClusterCount,
    choose,
    num_clusterings,
    numbers_to_try,
)
from wordworth.studies.corpus_map.cluster_keywords import cluster_words
from wordworth.studies.corpus_map.column_spread import ColumnSpread, column_spread, require_few_values
from wordworth.studies.corpus_map.findings import findings
from wordworth.studies.corpus_map.kmeans import Vectors, kmeans
from wordworth.studies.corpus_map.map_folder import MapFolder
from wordworth.studies.corpus_map.projection import TextMap, text_map
from wordworth.studies.corpus_map.settings import MapSettings
from wordworth.studies.corpus_map.tables import CorpusMap, tables
from wordworth.studies.study import make_record, timed

KIND = "corpus_map"
FITTED = 20_000
"""Most texts from which centroids are learned and words counted."""


def run(settings: MapSettings, index: Path, out: Path | None, progress: Progress) -> Record:
    """Cluster the texts of an index, and write a record, a page and a file of clusters.

    Args:
        settings: number of clusters, column that clusters are compared with, condition that texts pass, and number of
            texts on the map.
        index: folder of the index.
        out: folder to write; None writes nothing.
        progress: receives progress and messages.

    Raises:
        BadInput: the index or a setting cannot be used, there are too few texts, or the folder holds files other than
            an earlier map.
    """
    opened = Index.open(index)
    if out is not None:
        require_distinct(out, index)
    folder, seconds = MapFolder.of(out, KIND), dict[str, float]()
    rows = np.flatnonzero(opened.live if settings.where is None else opened.passing(settings.where))
    numbers = _numbers(settings, len(rows), str(index))
    cells = _cells(opened, settings, rows)
    with threadpool_limits(1):  # one order of sums, so that clusters and places do not depend on the number of cores
        corpus = _Work(opened, settings, rows, progress, seconds).corpus_map(numbers, cells)
    facts = {
        "name": index.name,
        "rows": len(rows),
        "model": opened.manifest.model,
        "width": opened.manifest.width,
        "precision": opened.manifest.precision,
    }
    record = make_record(
        KIND, settings, facts, tables=tables(corpus), findings=findings(corpus, settings), seconds=seconds
    )
    return folder.write(record, corpus)


def _numbers(settings: MapSettings, texts: int, where: str) -> tuple[int, ...]:
    """Return the numbers of clusters to try.

    Raises:
        BadInput: there are too few texts.
    """
    more = "add texts" if settings.where is None else "give a --where that more texts pass, or add texts"
    if settings.clusters is not None:
        if texts < 2 * settings.clusters:
            what = f"{count_of(texts, 'text')} for --clusters {settings.clusters}, and each needs two texts"
            raise BadInput(what, where=where, mend=f"give a smaller number, or {more}")
        return (settings.clusters,)
    numbers = numbers_to_try(texts)
    if not numbers:
        what = f"{count_of(texts, 'text')}, of which no number of clusters can be chosen"
        raise BadInput(what, where=where, mend=f"{more} ({2 * TEXTS_EACH} at least), or give --clusters")
    return numbers


def _cells(index: Index, settings: MapSettings, rows: Integers) -> list[str] | None:
    """Return the value of the column `colour` of each text; None without a column."""
    if settings.colour is None:
        return None
    cells: list[str] = index.rows.column(settings.colour).take(rows).to_pylist()
    require_few_values(settings.colour, cells, str(index.folder))
    return cells


@dataclass(frozen=True, slots=True)
class _Work:
    """The steps by which an index is clustered and mapped; each step's wall-clock time is recorded.

    Attributes:
        index: the index.
        settings: the settings.
        rows: indices, in the index, of the rows that are clustered, int64 [n].
        progress: receives progress and messages.
        seconds: name of each step -> its seconds; filled by the steps.
    """

    index: Index
    settings: MapSettings
    rows: Integers
    progress: Progress
    seconds: dict[str, float]

    def corpus_map(self, numbers: tuple[int, ...], cells: list[str] | None) -> CorpusMap:
        """Return the clusters with their words, the map, and the comparison with a column.

        Args:
            numbers: numbers of clusters to try.
            cells: value of each text in the column that clusters are compared with; None without a column.
        """
        count = self._count(numbers)
        fitted = self._drawn("fitted", FITTED)
        assignment = self._assignment(fitted, count.chosen)
        words = self._words(fitted, assignment)
        column = None if cells is None else self._column(cells, assignment)
        return CorpusMap(self.index, count, assignment, words, self._text_map(), column, len(fitted))

    def _drawn(self, name: str, most: int) -> Integers:
        """Return at most `most` indices into `rows`, drawn at random, ascending, int64 [m].

        Args:
            name: name of the draw, from which its seed is derived.
            most: largest number of indices; all are returned if there are no more rows.
        """
        return seeds.sorted_sample(seeds.child(self.settings.seed, name), len(self.rows), most)

    def _vectors(self, positions: Integers) -> Vectors:
        return unit_vectors(self.index.vectors, self.rows[positions])

    def _count(self, numbers: tuple[int, ...]) -> ClusterCount:
        title = "choosing the number of clusters" if len(numbers) > 1 else "comparing halves of the texts"
        with timed(self.seconds, "number of clusters"), self.progress.step(title, num_clusterings(numbers)) as step:
            return choose(self._vectors(self._drawn("sample", SAMPLE)), numbers, self.settings.seed, step)

    def _assignment(self, fitted: Integers, number: int) -> Assignment:
        with timed(self.seconds, "clusters"), self.progress.step("clustering texts", len(self.rows)) as step:
            centroids = kmeans(self._vectors(fitted), number, seeds.child(self.settings.seed, "clusters"))
            return assign(self.index.vectors, self.rows, centroids, step)

    def _words(self, fitted: Integers, assignment: Assignment) -> list[list[str]]:
        column = self.index.manifest.text
        with timed(self.seconds, "words"), self.progress.step("finding words"):
            texts = [row[column] for row in self.index.rows.take(self.rows[fitted], [column])]
            return cluster_words(texts, assignment.clusters[fitted], len(assignment.centroids))

    def _column(self, cells: list[str], assignment: Assignment) -> ColumnSpread:
        with timed(self.seconds, "column"), self.progress.step("comparing the column"):
            return column_spread(str(self.settings.colour), cells, assignment.clusters, self.settings.seed)

    def _text_map(self) -> TextMap:
        positions = self._drawn("points", self.settings.points)
        with timed(self.seconds, "map"), self.progress.step(f"drawing a map of {len(positions):,} texts"):
            return text_map(self._vectors(positions), positions, seeds.child(self.settings.seed, "projection"))
