"""Trees as points: distances between nodes, and vectors whose squared distances equal the distances in the tree.

Every tree of n nodes has a Pythagorean embedding in n - 1 dimensions, one for each edge (Coenen et al. 2019, arXiv
1906.02715, theorem 1). For most trees there are no vectors whose distances, without squaring, equal the distances in
the tree.
"""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers


def ancestries(heads: Integers) -> Floats:
    """Return whether each node (column) is an ancestor of each node (row) in a tree, float64 [n, n] of 0 and 1.

    Every node but the root counts as its own ancestor; the column of the root is 0.

    Args:
        heads: int64 [n], the index of each node's head; below 0 for the root.
    """
    on_way, at = np.zeros((len(heads), len(heads))), np.arange(len(heads))
    while (inner := heads[at] >= 0).any():
        on_way[np.flatnonzero(inner), at[inner]] = 1
        at = np.where(inner, heads[at], at)
    return on_way


def tree_distances(heads: Integers) -> Integers:
    """Return the number of edges between each pair of nodes of a tree, int64 [n, n].

    Args:
        heads: int64 [n], the index of each node's head; below 0 for the root.
    """
    distances: Integers = np.rint(squared_distances(ancestries(heads))).astype(np.int64)
    return distances


def tree_depths(heads: Integers) -> Integers:
    """Return the number of edges between each node and the root, int64 [n].

    Args:
        heads: int64 [n], the index of each node's head; below 0 for the root.
    """
    depths: Integers = ancestries(heads).sum(1).astype(np.int64)
    return depths


def pythagorean(heads: Integers) -> Floats:
    """Return a vector for each node of a tree, such that squared distances of vectors are distances in the tree.

    The result is float64 [n, n - 1]. The root is at 0; the vector of any other node is its head's vector plus a unit
    vector of its own (Coenen et al. 2019, theorem 1).

    Args:
        heads: int64 [n], the index of each node's head; below 0 for the root.
    """
    return ancestries(heads)[:, np.flatnonzero(heads >= 0)]


def random_branches(heads: Integers, width: int, rng: np.random.Generator) -> Floats:
    """Return a vector for each node of a tree, such that squared distances are about the distances in the tree.

    The result is float64 [n, width]. The root is at 0; the vector of any other node is its head's vector plus a normal
    random vector whose squared length is 1 on average. The error falls as 1 / sqrt(width) (Coenen et al. 2019, section
    3.2).

    Args:
        heads: int64 [n], the index of each node's head; below 0 for the root.
        width: number of dimensions.
        rng: source of randomness.
    """
    steps: Floats = rng.normal(0.0, width**-0.5, (len(heads), width))
    return ancestries(heads) @ steps


def squared_distances(vectors: Floats) -> Floats:
    """Return the squared Euclidean distance between each pair of rows of `vectors` [n, width], float64 [n, n]."""
    gaps = vectors[:, None] - vectors[None]
    distances: Floats = np.square(gaps).sum(-1)
    return distances
