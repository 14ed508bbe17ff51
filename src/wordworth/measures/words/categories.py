"""Categories found again: words are clustered, and each cluster is pure as far as one category fills it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from wordworth.measures.sums import Floats, Integers, indicator, weighted
from wordworth.measures.words.similarity import unit

_LINKAGES = (
    ("ward", "euclidean"),
    ("average", "euclidean"),
    ("average", "cosine"),
    ("complete", "euclidean"),
    ("complete", "cosine"),
)
_STARTS = 10


def clusterings(vectors: NDArray[np.floating], count: int, seed: int) -> Mapping[str, Integers]:
    """Six ways to part words into `count` clusters, each int64 [n]: those of the usual benchmark, by name.

    Ward's, average and complete linkage, the latter two by Euclidean and by cosine distance, and k-means from ten
    starts, on unit vectors.
    """
    points = unit(vectors.astype(np.float64))
    found = {}
    for method, distance in _LINKAGES:
        apart = 2 - 2 * np.clip(points @ points.T, -1, 1)  # the squared distance of unit vectors, twice 1 - cosine
        rows, columns = np.triu_indices(len(points), 1)
        condensed = apart[rows, columns] / 2 if distance == "cosine" else np.sqrt(apart[rows, columns])
        tree = linkage(condensed, method)
        found[f"{method}, {distance}"] = fcluster(tree, count, "maxclust").astype(np.int64) - 1
    with threadpool_limits(1):  # sums in one order, whatever the machine
        means = KMeans(count, n_init=_STARTS, random_state=seed % 2**32).fit(points)
    found["k-means"] = means.labels_.astype(np.int64)
    return found


def purity(clusters: Integers, truth: Integers, weights: Floats) -> Floats:
    """float64 [draws]: the share of words that belong to the category which fills most of their cluster.

    Args:
        clusters: int64 [n].
        truth: int64 [n].
        weights: float64 [draws, n], how often each word counts.

    It grows with the number of clusters: one a word gives 1.
    """
    kinds = int(truth.max()) + 1
    cells = indicator(clusters * kinds + truth, (int(clusters.max()) + 1) * kinds)
    counts = weighted(cells, weights).reshape(-1, kinds, len(weights))
    share: Floats = counts.max(axis=1).sum(axis=0) / np.maximum(weights.sum(axis=1), 1e-300)
    return share
