"""The best dependency tree from arc scores: the maximum spanning arborescence (Chu and Liu 1965; Edmonds 1967)."""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers


def best_tree(scores: Floats) -> Integers:
    """Return the heads of the tree with the largest sum of scores, among trees with exactly one arc from the root.

    The best of all trees mostly has one such arc. Where it has several, all arcs from the root get a penalty that is
    larger than the difference between the sums of any two trees, so that the best tree has exactly one of them. All
    trees with one such arc get the same penalty, so that their order stays as it was.

    Args:
        scores: [n, n + 1], finite, the score of each word (row) hanging on the root (column 0) or on word j (column j +
            1). A word's score on itself is ignored.

    Returns:
        int64 [n], the index of each word's head, from 0; -1 for the word that hangs on the root.
    """
    words = len(scores)
    full = np.full((words + 1, words + 1), -np.inf)
    full[1:] = scores
    np.fill_diagonal(full, -np.inf)
    heads = _best_heads(full)
    if np.count_nonzero(heads[1:] == 0) > 1:
        full[1:, 0] -= 1 + words * np.ptp(scores)
        heads = _best_heads(full)
    return heads[1:] - 1


def _best_heads(scores: Floats) -> Integers:
    """Return the index of each node's head in the best tree, int64 [n]; node 0 is the root, and its own head.

    Every node first gets its best head. If some nodes then form a circle, the circle is contracted to one node. The
    score of this node under a head is the largest change of the sum of scores if one node of the circle gets this head
    instead of its own. The smaller graph is solved by recursion, and the node of the circle that its solution enters
    gets the new head.

    Args:
        scores: [n, n], the score of each node (row) hanging on each other node (column).
    """
    heads: Integers = scores.argmax(1)
    heads[0] = 0
    circle = _circle(heads)
    if not len(circle):
        return heads
    rest = np.delete(np.arange(len(scores)), circle)
    into = scores[np.ix_(circle, rest)] - scores[circle, heads[circle]][:, None]
    out = scores[np.ix_(rest, circle)]
    smaller = np.full((len(rest) + 1,) * 2, -np.inf)
    smaller[:-1, :-1] = scores[np.ix_(rest, rest)]
    smaller[:-1, -1], smaller[-1, :-1] = out.max(1), into.max(0)
    solved = _best_heads(smaller)
    entered_from = solved[-1]
    nodes = np.append(rest, -1)
    heads[rest] = np.where(solved[:-1] == len(rest), circle[out.argmax(1)], nodes[solved[:-1]])
    heads[circle[into[:, entered_from].argmax()]] = rest[entered_from]
    return heads


def _circle(heads: Integers) -> Integers:
    """Return the indices of the nodes of one circle, int64 [nodes]; empty if every node leads to node 0.

    Args:
        heads: int64 [n], the index of each node's head.
    """
    far = heads
    for _ in range(len(heads).bit_length()):
        far = far[far]
    circle = [int(node) for node in far[far > 0][:1]]
    while circle and heads[circle[-1]] != circle[0]:
        circle.append(int(heads[circle[-1]]))
    return np.array(circle, dtype=np.int64)
