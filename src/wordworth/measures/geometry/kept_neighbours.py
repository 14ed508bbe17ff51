"""How well a projection keeps neighbourhoods: the share of each point's nearest points that stay among its nearest.

The measure is the quality Q_NX(k) of Lee and Verleysen (2009, "Quality assessment of dimensionality reduction").
"""

from __future__ import annotations

import numpy as np

from wordworth.measures.geometry.mean_cosine import Vectors
from wordworth.measures.weighted_sums import Integers

_AT_ONCE = 512


def kept_neighbours(vectors: Vectors, projection: Vectors, k: int) -> float:
    """Return the mean share of each point's k nearest points that are among its k nearest in the projection.

    Chance alone gives k / (n - 1). Distances are Euclidean, which ranks unit vectors as cosines do.

    Args:
        vectors: the points, float [n, width].
        projection: the coordinates of the points in the projection, float [n, dimensions].
        k: number of nearest points, from 1 to n - 1.
    """
    shared = 0
    for start in range(0, len(vectors), _AT_ONCE):
        near, there = (_nearest(points, start, k) for points in (vectors, projection))
        shared += sum(len(np.intersect1d(a, b)) for a, b in zip(near, there, strict=True))
    return shared / (k * len(vectors))


def _nearest(points: Vectors, start: int, k: int) -> Integers:
    """Return the indices of the k nearest other points of each point of a block, int64 [block, k], in no order.

    Args:
        points: [n, width], all points.
        start: the index of the first point of the block; a block has `_AT_ONCE` points, or fewer at the end.
        k: number of nearest points.
    """
    block = points[start : start + _AT_ONCE].astype(np.float64)
    squares = np.square(points.astype(np.float64)).sum(axis=1)
    distances = squares - 2 * block @ points.T
    distances[np.arange(len(block)), start + np.arange(len(block))] = np.inf
    return np.argpartition(distances, k - 1, axis=1)[:, :k].astype(np.int64)
