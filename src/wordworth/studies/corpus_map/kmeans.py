"""k-means (Lloyd's algorithm) by scikit-learn.

On unit vectors the squared distance to a centroid falls as the cosine with it rises, so that the text nearest to a
centroid is the one with the largest cosine. The k-means by minibatches that learns codebooks takes a quarter of the
time, and leaves clusters with larger distances that change more from one start to another.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Integers

Vectors = NDArray[np.float32]
_STEPS = 50
_LEAST_STARTS, _CENTROIDS = 2, 24
"""Least number of starts, and number of centroids of all starts together: few clusters cost little and get more starts.
"""


def kmeans(vectors: Vectors, k: int, rng: np.random.Generator) -> Vectors:
    """Return the centroids of k clusters, float32 [k, width]; some are equal if fewer than k vectors differ.

    Args:
        vectors: float32 [n, width], at least k.
        k: number of clusters.
        rng: draws the initial centroids of several starts; the centroids of the start with the smallest sum of squared
            distances are returned.
    """
    from sklearn.cluster import KMeans

    model = KMeans(
        k, n_init=max(_LEAST_STARTS, _CENTROIDS // k), max_iter=_STEPS, random_state=int(rng.integers(1 << 31))
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fewer different vectors than clusters: empty clusters are dropped later
        centroids: Vectors = model.fit(vectors).cluster_centers_
    return centroids


def nearest_centroids(vectors: Vectors, centroids: Vectors) -> Integers:
    """Return the index of each vector's nearest centroid, int64 [n]; the first of equally near ones.

    Args:
        vectors: float32 [n, width].
        centroids: float32 [k, width].
    """
    nearness = vectors @ centroids.T - np.square(centroids).sum(axis=1) / 2
    return np.asarray(nearness.argmax(axis=1), np.int64)
