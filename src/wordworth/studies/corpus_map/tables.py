"""`CorpusMap`, the results of clustering an index, and the tables of its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Integers
from wordworth.records import Table
from wordworth.retrieval.index import Index
from wordworth.sentence_formatting import shortened
from wordworth.studies.corpus_map.cluster_assignment import Assignment
from wordworth.studies.corpus_map.cluster_count import ClusterCount
from wordworth.studies.corpus_map.column_spread import ColumnSpread
from wordworth.studies.corpus_map.projection import TextMap

CENTRAL = 3
"""Number of central texts of a cluster."""
_CANDIDATES = 12
"""Number of the most central texts among which those with different texts are taken."""
_EXAMPLE, _POINT = 1_000, 200
"""Most characters of a text in the tables `texts` and `points`."""
_DIGITS = 4
_CLUSTERS = {
    "cluster": "number of the cluster, from 1, the largest first",
    "words": "words that are distinctive of it, by class-based TF-IDF, the best first",
    "texts": "number of its texts",
    "share": "their share of all texts",
    "cosine": "mean cosine of a text with the centroid",
    "x": "place of its name, that of a text in the middle of it on the map; null if none is there",
    "y": "place of its name, that of a text in the middle of it on the map; null if none is there",
}
_TEXTS = {
    "cluster": "number of the cluster",
    "place": "central or outlying",
    "id": "id of the text",
    "cosine": "cosine with the centroid",
    "text": f"the text, on one line, its first {_EXAMPLE:,} characters",
}
_POINTS = {
    "id": "id of the text",
    "cluster": "number of its cluster",
    "value": "its value in the column that clusters are compared with; null without a column",
    "x": "place on the map",
    "y": "place on the map",
    "text": f"the text, on one line, its first {_POINT} characters",
}
_AGREEMENT = {
    "clusters": "number of clusters",
    "mean": "adjusted Rand index of the clusters of two halves, mean over splits",
    "low": "its least value over splits",
    "high": "its largest value over splits",
    "cloud": "the same of single clouds with the mean and covariance of the texts, mean over clouds",
    "cloud_low": "its least value over clouds",
    "cloud_high": "its largest value over clouds",
}
_SPREAD = {"value": "value of the column", "cluster": "number of the cluster", "texts": "number of texts"}


@dataclass(frozen=True, slots=True)
class CorpusMap:
    """The clusters of an index with their words, the map of the texts, and a column compared with the clusters.

    Attributes:
        index: the index.
        count: the number of clusters, and the agreement of halves from which it was chosen.
        assignment: the cluster of each text.
        words: the words of each cluster.
        map: the texts that are drawn.
        column: how often each value of the column occurs in each cluster; None without a column.
        fitted: number of texts from which centroids were learned.
    """

    index: Index
    count: ClusterCount
    assignment: Assignment
    words: list[list[str]]
    map: TextMap
    column: ColumnSpread | None
    fitted: int


def tables(corpus: CorpusMap) -> dict[str, Table]:
    """Return the tables of a `corpus_map` record by name."""
    return {
        "clusters": Table.of(list(_clusters(corpus)), _CLUSTERS),
        "texts": Table.of(list(_texts(corpus)), _TEXTS),
        "points": Table.of(list(_points(corpus)), _POINTS),
        "agreement": Table.of([asdict(each) for each in corpus.count.agreements], _AGREEMENT),
        "spread": Table.of(list(_column_counts(corpus)), _SPREAD),
    }


def _clusters(corpus: CorpusMap) -> Iterator[dict[str, Any]]:
    assignment = corpus.assignment
    for cluster, size in enumerate(assignment.sizes.tolist()):
        x, y = _place_of_name(corpus, cluster)
        yield {
            "cluster": cluster + 1,
            "words": corpus.words[cluster],
            "texts": size,
            "share": round(size / len(assignment.rows), _DIGITS),
            "cosine": round(float(assignment.cosines[assignment.clusters == cluster].mean()), _DIGITS),
            "x": x,
            "y": y,
        }


def _place_of_name(corpus: CorpusMap, cluster: int) -> tuple[float | None, float | None]:
    """Return the coordinates at which the map prints a cluster's name.

    They are the coordinates of the drawn text of the cluster that is nearest to the median of the cluster's drawn
    texts; (None, None) if no text of the cluster is drawn.
    """
    own = corpus.map.coordinates[corpus.assignment.clusters[corpus.map.positions] == cluster]
    if not len(own):
        return None, None
    x, y = own[np.square(own - np.median(own, axis=0)).sum(axis=1).argmin()].tolist()
    return round(x, _DIGITS), round(y, _DIGITS)


def _texts(corpus: CorpusMap) -> Iterator[dict[str, Any]]:
    """Yield rows of the table `texts`: each cluster's central texts, without repetition, and its most outlying text.

    The most outlying text is left out if it equals one of the central texts.
    """
    assignment = corpus.assignment
    for cluster in range(len(assignment.centroids)):
        central = assignment.central(cluster, _CANDIDATES)
        outlying = assignment.outlying(cluster)
        rows = _rows(corpus, np.append(central, outlying), _EXAMPLE)
        different = {row["text"]: row for row in reversed(rows[:-1])}
        examples = sorted(different.values(), key=lambda row: -row["cosine"])[:CENTRAL]
        yield from ({"cluster": cluster + 1, "place": "central", **row} for row in examples)
        if rows[-1]["text"] not in {row["text"] for row in examples}:
            yield {"cluster": cluster + 1, "place": "outlying", **rows[-1]}


def _points(corpus: CorpusMap) -> Iterator[dict[str, Any]]:
    positions, column = corpus.map.positions, corpus.column
    rows = _rows(corpus, positions, _POINT)
    clusters = corpus.assignment.clusters[positions].tolist()
    coordinates = corpus.map.coordinates.round(_DIGITS).tolist()
    for position, row, cluster, (x, y) in zip(positions.tolist(), rows, clusters, coordinates, strict=True):
        value = None if column is None else column.values[column.of_text[position]]
        yield {"id": row["id"], "cluster": cluster + 1, "value": value, "x": x, "y": y, "text": row["text"]}


def _column_counts(corpus: CorpusMap) -> Iterator[dict[str, Any]]:
    if corpus.column is None:
        return
    for value, counts in zip(corpus.column.values, corpus.column.table.tolist(), strict=True):
        yield from ({"value": value, "cluster": each + 1, "texts": texts} for each, texts in enumerate(counts) if texts)


def _rows(corpus: CorpusMap, positions: Integers, most: int) -> list[dict[str, Any]]:
    """Return id, cosine with the centroid, and beginning of some texts.

    Args:
        corpus: the clustered index.
        positions: indices of the texts into the rows of `corpus.assignment`, int64 [n].
        most: largest number of characters of a text.
    """
    numbers = corpus.assignment.rows[positions]
    cells = corpus.index.rows.take(numbers, _columns(corpus.index))
    cosines = corpus.assignment.cosines[positions].round(_DIGITS).tolist()
    return [
        {
            "id": _id(corpus.index, number, row),
            "cosine": cosine,
            "text": shortened(row[corpus.index.manifest.text], most),
        }
        for number, row, cosine in zip(numbers.tolist(), cells, cosines, strict=True)
    ]


def _columns(index: Index) -> list[str]:
    return [name for name in (index.manifest.text, index.manifest.id) if name is not None]


def _id(index: Index, number: int, cells: Mapping[str, str]) -> str:
    """Return the id of a row: the cell in the column of ids or, if the index has no such column, `number` as text.

    Args:
        index: the index.
        number: index of the row in the index.
        cells: name of a column -> cell of the row.
    """
    return str(number) if index.manifest.id is None else cells[index.manifest.id]
