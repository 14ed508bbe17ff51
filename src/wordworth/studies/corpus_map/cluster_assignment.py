"""The cluster of every text, and the most central and most outlying texts of each cluster, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Integers, floats
from wordworth.progress import Step
from wordworth.retrieval.stored_vectors import StoredVectors, values_of
from wordworth.studies.corpus_map.kmeans import Vectors, nearest_centroids

_AT_ONCE = 4_096


@dataclass(frozen=True, slots=True)
class Assignment:
    """The clusters of some rows of an index; clusters are numbered from 0 by size, the largest first.

    Attributes:
        rows: indices of these rows in the index, ascending, int64 [n].
        clusters: the number of each row's cluster, from 0, int64 [n]; no cluster is empty.
        cosines: cosine of each row's vector with the centroid of its cluster, float64 [n].
        centroids: the centroids, float32 [clusters, width].
    """

    rows: Integers
    clusters: Integers
    cosines: Floats
    centroids: Vectors

    @property
    def sizes(self) -> Integers:
        """Number of rows of each cluster, int64 [clusters]."""
        return np.bincount(self.clusters, minlength=len(self.centroids)).astype(np.int64)

    def central(self, cluster: int, most: int) -> Integers:
        """Return the rows of a cluster that have the largest cosines with its centroid, the largest first.

        Args:
            cluster: number of the cluster, from 0.
            most: most rows to return.

        Returns:
            Indices into `rows` (not into the index), int64 [n], n at most `most`.
        """
        own = np.flatnonzero(self.clusters == cluster)
        return own[np.argsort(-self.cosines[own], kind="stable")][:most]

    def outlying(self, cluster: int) -> int:
        """Return the index into `rows` of the row of a cluster that has the smallest cosine with the centroid."""
        own = np.flatnonzero(self.clusters == cluster)
        return int(own[self.cosines[own].argmin()])


def unit_blocks(segments: Sequence[StoredVectors], rows: Integers) -> Iterator[Vectors]:
    """Yield the vectors of some rows in order, scaled to length 1, in blocks float32 [m, width].

    Args:
        segments: the vectors of the index.
        rows: int64 [n], indices of the rows in the index.
    """
    for start in range(0, len(rows), _AT_ONCE):
        values = values_of(segments, rows[start : start + _AT_ONCE])
        yield np.asarray(unit_or_zero(values), np.float32)


def unit_vectors(segments: Sequence[StoredVectors], rows: Integers) -> Vectors:
    """Return the vectors of some rows in order, scaled to length 1, float32 [n, width].

    Args:
        segments: the vectors of the index.
        rows: int64 [n], indices of the rows in the index.
    """
    return np.concatenate(list(unit_blocks(segments, rows)))


def assign(segments: Sequence[StoredVectors], rows: Integers, centroids: Vectors, step: Step) -> Assignment:
    """Assign each of some rows of an index to the cluster with the nearest centroid.

    Args:
        segments: the vectors of the index.
        rows: indices of the rows in the index, ascending, int64 [n], at least one.
        centroids: float32 [k, width]; a centroid that is not the nearest one of any row is dropped from the result.
        step: advances by the number of rows.
    """
    clusters, cosines = list[Integers](), list[Floats]()
    directions = unit_or_zero(centroids)
    for block in unit_blocks(segments, rows):
        near = nearest_centroids(block, centroids)
        clusters.append(near)
        cosines.append(floats(np.einsum("nd,nd->n", block, directions[near])))
        step.advance(len(block))
    labels = np.concatenate(clusters)
    sizes = np.bincount(labels, minlength=len(centroids))
    order = np.argsort(-sizes, kind="stable")[: np.count_nonzero(sizes)]
    numbers = np.zeros(len(centroids), np.int64)
    numbers[order] = np.arange(len(order))
    return Assignment(rows, numbers[labels], np.concatenate(cosines), centroids[order])
