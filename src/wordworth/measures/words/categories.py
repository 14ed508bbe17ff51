"""Categorisation: words are clustered, and purity is the share of words in their cluster's majority category.

Intervals of a purity need care. A bootstrap of words fails for two reasons: resampled (cluster, category) pairs of one
clustering have higher purities than the clustering itself, since the majority is the luckiest of the counts; and the
clustering is not repeated, though most of the variation comes from it. In a simulation with a known truth
(`benchmarks/purity_coverage.py`: 45 to 2,000 words as noise around 9 to 40 category centres, 100 sets of words per
design) such 95 % intervals contained the mean purity in 19 to 88 of 100 sets; in 19 to 94 if the majority categories
are held fixed, and in 15 to 90 if the draws are shifted so that their mean is the measured purity. `part_purities`
therefore subsamples words without replacement, clusters each part anew and uses only the variance. The variance between
parts of b of n words is sigma^2 (1/b - 1/n), which gives the variance for all n words, sigma^2 / n (Politis, Romano and
Wolf 1999, section 2.2). These intervals contained the mean purity in 91 to 100 sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.measures.weighted_sums import Floats, Integers, floats

PARTS = 25
_LINKAGES = (
    ("ward", "euclidean"),
    ("average", "euclidean"),
    ("average", "cosine"),
    ("complete", "euclidean"),
    ("complete", "cosine"),
)
_K_MEANS, _STARTS = "k-means", 10
CLUSTERINGS = (*(f"{method}, {distance}" for method, distance in _LINKAGES), _K_MEANS)


def clusterings(vectors: NDArray[np.floating], count: int, seed: int) -> Mapping[str, Integers]:
    """Cluster words by the six algorithms of the usual benchmark; return algorithm's name -> int64 [n] clusters.

    Args:
        vectors: [n, d], the vectors of the words.
        count: maximal number of clusters.
        seed: the seed of k-means.
    """
    return {name: clustering(name, vectors, count, seed) for name in CLUSTERINGS}


def clustering(name: str, vectors: NDArray[np.floating], count: int, seed: int) -> Integers:
    """Cluster words by one of six algorithms; return the cluster of each word, int64 [n].

    The vectors are first scaled to length 1. The algorithms are Ward's, average and complete linkage, the latter two by
    Euclidean and by cosine distance, and k-means from ten starts. There are fewer than `count` clusters if there are
    fewer different vectors, as when several words without a vector share one.

    Args:
        name: one of `CLUSTERINGS`.
        vectors: [n, d], the vectors of the words.
        count: maximal number of clusters.
        seed: the seed of k-means.
    """
    points = unit_or_zero(vectors.astype(np.float64))
    if name == _K_MEANS:
        differ = len(np.unique(points, axis=0))
        with threadpool_limits(1):  # sums in one order, whatever the machine
            means = KMeans(min(count, differ), n_init=_STARTS, random_state=seed % 2**32).fit(points)
        labels: Integers = means.labels_.astype(np.int64)
        return labels
    method, _, distance = name.partition(", ")
    squared_distances = 2 - 2 * np.clip(points @ points.T, -1, 1)  # of unit vectors: twice 1 - cosine
    condensed = squareform(squared_distances, checks=False)
    condensed = condensed / 2 if distance == "cosine" else np.sqrt(condensed)
    cluster_of_word: Integers = fcluster(linkage(condensed, method), count, "maxclust").astype(np.int64) - 1
    return cluster_of_word


def purity(clusters: Integers, truth: Integers) -> float:
    """Return the share of words that belong to the majority category of their cluster.

    Purity grows with the number of clusters: with one cluster per word it is 1.

    Args:
        clusters: int64 [n], the cluster of each word.
        truth: int64 [n], the category of each word.
    """
    kinds = int(truth.max()) + 1
    cells = np.bincount(clusters * kinds + truth, minlength=(int(clusters.max()) + 1) * kinds)
    return float(cells.reshape(-1, kinds).max(axis=1).sum() / len(truth))


def part_purities(
    names: Sequence[str], vectors: NDArray[np.floating], truth: Integers, seed: int
) -> tuple[Mapping[str, Floats], float]:
    """Cluster random halves of the words and compute the purity of each half's clusters.

    The variance of these purities gives the standard error for all words. Each half is clustered anew into as many
    clusters as it has categories. The same seed gives the same halves, so that two tables can be compared half by half.

    Args:
        names: names of `CLUSTERINGS`.
        vectors: [n, d], the vectors of the words.
        truth: int64 [n], the category of each word.
        seed: the seed of the halves and of k-means.

    Returns:
        (name -> purities of the halves, float64 [PARTS]; the factor by which their standard deviation is multiplied to
        give the standard error for all words).
    """
    count, rng = len(truth), np.random.default_rng(seed)
    size = max(1, count // 2)
    purities: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(PARTS):
        part = rng.permutation(count)[:size]
        gold = np.unique(truth[part], return_inverse=True)[1]
        for name, values in purities.items():
            values.append(purity(clustering(name, vectors[part], int(gold.max()) + 1, seed), gold))
    return {name: floats(values) for name, values in purities.items()}, float(np.sqrt(size / (count - size)))
