"""Hierarchical k-means for tables with any number of rows: level by level, each cluster is divided into k clusters.

A level is learned in three steps. First, scikit-learn's minibatch k-means (Sculley 2010) runs over rows drawn from each
cluster. Then a pass over all rows makes each centroid the mean of the rows that were nearest to it. A second pass
assigns every row to the nearest centroid of its cluster. The mean of rows is the point with the least squared distance
to them, so the mean squared error falls from level to level, or stays equal if every cluster is a single point.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.cluster import MiniBatchKMeans
from threadpoolctl import threadpool_limits

from wordworth import seeds
from wordworth.files import atomic_write
from wordworth.models.codebook import Codebook, Codes, Vectors, level_file, nearest_children, read_level
from wordworth.progress import Step
from wordworth.training.codebook.feature_rows import FeatureRows
from wordworth.training.codebook.settings import CodebookSettings

PASSES = 2
"""Passes over all rows for a level."""
_BATCH = 1_024
_STARTS = 3


@dataclass(frozen=True, slots=True)
class LearnedCodes:
    """A codebook learned by hierarchical k-means, with the codes of the rows from which it was learned.

    Attributes:
        codebook: the codebook.
        codes: int64 [n], the code of each row, which is the number of its cluster on the last level.
        errors: for each level, the mean squared distance of rows to their centroids on that level.
    """

    codebook: Codebook
    codes: Codes
    errors: tuple[float, ...]


def learn(features: FeatureRows, settings: CodebookSettings, folder: Path, step: Step) -> LearnedCodes:
    """Learn a codebook by hierarchical k-means, level by level.

    Each finished level is written to `folder`; a level that is there already is read instead of learned.

    Args:
        features: the feature rows, at least `settings.k`.
        settings: number of clusters and levels.
        folder: where the levels are written.
        step: progress display, advanced by the number of rows in each pass.
    """
    nodes, levels, errors = np.zeros(len(features), dtype=np.int64), list[Vectors](), list[float]()
    for level in range(settings.depth):
        path = level_file(folder, level)
        if path.exists():
            step.skip(len(features))
            centroids = read_level(folder, level)
        else:
            centroids = _means(features, _start(features, nodes, level, settings), nodes, step)
        nodes, error = assign(features, centroids, nodes, step)
        if not path.exists():
            _drop_empty(centroids, nodes)
            with atomic_write(path) as temporary, temporary.open("wb") as file:
                np.save(file, centroids)
        levels.append(centroids)
        errors.append(error)
    return LearnedCodes(Codebook(tuple(levels)), nodes, tuple(errors))


def assign(features: FeatureRows, centroids: Vectors, nodes: Codes, step: Step) -> tuple[Codes, float]:
    """Assign each row to the nearest child of its node in a tree of clusters.

    Args:
        features: n rows.
        centroids: float32 [nodes, k, width], the centroids of each node's k children.
        nodes: int64 [n], the current node of each row.
        step: progress display, advanced by the number of rows.

    Returns:
        (the node of each row on the next level, int64 [n], which is `nodes * k` plus the number of the child; the mean
        squared distance of rows to the centroids of these nodes).
    """
    below, total = np.empty_like(nodes), 0.0
    for rows, block in features.blocks():
        children, squares = nearest_children(block, centroids, nodes[rows])
        below[rows] = nodes[rows] * centroids.shape[1] + children
        total += float(squares.sum())
        step.advance(len(block))
    return below, total / len(features)


def _means(features: FeatureRows, centroids: Vectors, nodes: Codes, step: Step) -> Vectors:
    """Return the mean of the rows nearest to each centroid, float32 [nodes, k, width]; NaN for one without rows."""
    k = centroids.shape[1]
    sums, counts = np.zeros((centroids.shape[0] * k, features.width)), np.zeros(centroids.shape[0] * k)
    for rows, block in features.blocks():
        below = nodes[rows] * k + nearest_children(block, centroids, nodes[rows])[0]
        there, member = np.unique(below, return_inverse=True)
        by_child = csr_matrix((np.ones(len(block)), (member, np.arange(len(block)))))
        sums[there] += by_child @ block.astype(np.float64)
        counts[there] += np.bincount(member)
        step.advance(len(block))
    sums[counts == 0] = np.nan
    return (sums / np.maximum(counts, 1)[:, None]).astype(np.float32).reshape(centroids.shape)


def _drop_empty(centroids: Vectors, nodes: Codes) -> None:
    """Set to NaN, in place, the centroids that no row is nearest to, so that no level is learned below them.

    Args:
        centroids: float32 [nodes, k, width].
        nodes: int64 [n], the node of each row on the next level, as `assign` returns it.
    """
    used = np.bincount(nodes, minlength=centroids.shape[0] * centroids.shape[1]) > 0
    centroids.reshape(len(used), -1)[~used] = np.nan


def _start(features: FeatureRows, nodes: Codes, level: int, settings: CodebookSettings) -> Vectors:
    """Return the centroids of k-means in each node, float32 [nodes, k, width]; NaN for nodes without rows."""
    k = settings.k
    centroids = np.full((k**level, k, features.width), np.nan, dtype=np.float32)
    for node, rows in _by_node(nodes):
        rng = seeds.child(settings.seed, "codebook", level, node)
        drawn = rows if len(rows) <= settings.rows_per_node else rng.choice(rows, settings.rows_per_node, replace=False)
        own = kmeans(features.take(np.sort(drawn)), k, int(rng.integers(1 << 31)))
        centroids[node, : len(own)] = own
    return centroids


def _by_node(nodes: Codes) -> Iterator[tuple[int, Codes]]:
    """Yield each node that has rows, with the indices of these rows, int64 [n]."""
    order = np.argsort(nodes, kind="stable")
    there, firsts = np.unique(nodes[order], return_index=True)
    yield from zip(there.tolist(), np.split(order, firsts[1:]), strict=True)


def kmeans(rows: NDArray[np.float32], k: int, seed: int) -> Vectors:
    """Return the centroids of rows by k-means in minibatches, float32 [m, width].

    m is k. If there are at most k different rows, these rows themselves are the centroids, and m is their number.

    Args:
        rows: float32 [n, width].
        k: number of clusters.
        seed: decides the initial centroids and the minibatches.
    """
    different = _different(rows, k + 1)
    if len(different) <= k:
        return different
    model = MiniBatchKMeans(k, batch_size=_BATCH, n_init=_STARTS, random_state=seed, compute_labels=False)
    with threadpool_limits(1), warnings.catch_warnings():  # one order of sums, whatever the machine
        warnings.simplefilter("ignore")  # of fewer different rows than clusters: empty ones are dropped later
        centroids: Vectors = model.fit(rows).cluster_centers_
    return centroids


def _different(rows: Vectors, most: int) -> Vectors:
    """Return the distinct rows, in the order in which each occurs first, at most the first `most`."""
    seen: dict[bytes, int] = {}
    for number, row in enumerate(rows):
        seen.setdefault(row.tobytes(), number)
        if len(seen) == most:
            break
    return rows[list(seen.values())]
