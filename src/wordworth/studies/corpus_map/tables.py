"""`CorpusMap`, the clusters of an index with all that is said of them, and the tables of its record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from wordworth.measures.weighted_sums import Integers
from wordworth.records import Table
from wordworth.retrieval.index import Index
from wordworth.studies.corpus_map.assignment import Assignment
from wordworth.studies.corpus_map.cluster_count import ClusterCount
from wordworth.studies.corpus_map.column_spread import ColumnSpread
from wordworth.studies.corpus_map.projection import TextMap
from wordworth.text_format import shortened

CENTRAL = 3
"""Number of central texts of a cluster."""
_CANDIDATES = 12
"""Number of the most central texts among which different ones are found."""
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
    """The clusters of an index with all that is said of them.

    Attributes:
        index: the index.
        count: the number of clusters, and what it was chosen by.
        assignment: the cluster of each text.
        words: the words of each cluster.
        map: the texts that are drawn.
        spread: the values of a column beside the clusters; None without a column.
        fitted: number of texts from which centroids were learned.
    """

    index: Index
    count: ClusterCount
    assignment: Assignment
    words: list[list[str]]
    map: TextMap
    spread: ColumnSpread | None
    fitted: int


def tables(found: CorpusMap) -> dict[str, Table]:
    """Return the tables of the record."""
    return {
        "clusters": Table.of(list(_clusters(found)), _CLUSTERS),
        "texts": Table.of(list(_texts(found)), _TEXTS),
        "points": Table.of(list(_points(found)), _POINTS),
        "agreement": Table.of([asdict(each) for each in found.count.agreements], _AGREEMENT),
        "spread": Table.of(list(_spread(found)), _SPREAD),
    }


def _clusters(found: CorpusMap) -> Iterator[dict[str, Any]]:
    assignment = found.assignment
    for cluster, size in enumerate(assignment.sizes.tolist()):
        x, y = _place_of_name(found, cluster)
        yield {
            "cluster": cluster + 1,
            "words": found.words[cluster],
            "texts": size,
            "share": round(size / len(assignment.rows), _DIGITS),
            "cosine": round(float(assignment.cosines[assignment.clusters == cluster].mean()), _DIGITS),
            "x": x,
            "y": y,
        }


def _place_of_name(found: CorpusMap, cluster: int) -> tuple[float | None, float | None]:
    """Return the place of the text on the map that is nearest to the median place of its cluster."""
    own = found.map.places[found.assignment.clusters[found.map.positions] == cluster]
    if not len(own):
        return None, None
    x, y = own[np.square(own - np.median(own, axis=0)).sum(axis=1).argmin()].tolist()
    return round(x, _DIGITS), round(y, _DIGITS)


def _texts(found: CorpusMap) -> Iterator[dict[str, Any]]:
    """Yield the central texts of each cluster, all different, and its most outlying one if it is none of these."""
    assignment = found.assignment
    for cluster in range(len(assignment.centroids)):
        central = assignment.central(cluster, _CANDIDATES)
        outlying = assignment.outlying(cluster)
        rows = _rows(found, np.append(central, outlying), _EXAMPLE)
        different = {row["text"]: row for row in reversed(rows[:-1])}
        kept = sorted(different.values(), key=lambda row: -row["cosine"])[:CENTRAL]
        yield from ({"cluster": cluster + 1, "place": "central", **row} for row in kept)
        if rows[-1]["text"] not in {row["text"] for row in kept}:
            yield {"cluster": cluster + 1, "place": "outlying", **rows[-1]}


def _points(found: CorpusMap) -> Iterator[dict[str, Any]]:
    positions, spread = found.map.positions, found.spread
    rows = _rows(found, positions, _POINT)
    clusters = found.assignment.clusters[positions].tolist()
    places = found.map.places.round(_DIGITS).tolist()
    for position, row, cluster, (x, y) in zip(positions.tolist(), rows, clusters, places, strict=True):
        value = None if spread is None else spread.values[spread.of_text[position]]
        yield {"id": row["id"], "cluster": cluster + 1, "value": value, "x": x, "y": y, "text": row["text"]}


def _spread(found: CorpusMap) -> Iterator[dict[str, Any]]:
    if found.spread is None:
        return
    for value, counts in zip(found.spread.values, found.spread.table.tolist(), strict=True):
        yield from ({"value": value, "cluster": each + 1, "texts": texts} for each, texts in enumerate(counts) if texts)


def _rows(found: CorpusMap, positions: Integers, most: int) -> list[dict[str, Any]]:
    """Return id, cosine and beginning of texts, by their positions in the assignment."""
    numbers = found.assignment.rows[positions]
    cells = found.index.rows.take(numbers, _columns(found.index))
    cosines = found.assignment.cosines[positions].round(_DIGITS).tolist()
    return [
        {
            "id": _id(found.index, number, row),
            "cosine": cosine,
            "text": shortened(row[found.index.manifest.text], most),
        }
        for number, row, cosine in zip(numbers.tolist(), cells, cosines, strict=True)
    ]


def _columns(index: Index) -> list[str]:
    return [name for name in (index.manifest.text, index.manifest.id) if name is not None]


def _id(index: Index, number: int, cells: Mapping[str, str]) -> str:
    """Return the id of a row: its cell in the column of ids, or its number without such a column."""
    return str(number) if index.manifest.id is None else cells[index.manifest.id]
