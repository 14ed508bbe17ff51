"""The best dependency tree from arc scores: the maximum spanning arborescence (Chu and Liu 1965; Edmonds 1967)."""

from __future__ import annotations

import numpy as np

from wordworth.measures.weighted_sums import Floats, Integers


def best_tree(scores: Floats) -> Integers:
    """Return the heads of the tree with the largest sum of scores, among trees with exactly one arc from the root.

    All arcs from the root get a penalty that is larger than the difference between the sums of any two trees. The best
    tree therefore has exactly one arc from the root. All trees with one such arc get the same penalty, so that their
    order stays as it was.

    Args:
        scores: [n, n + 1], finite, the score of each word (row) hanging on the root (column 0) or on word j (column j +
            1). A word's score on itself is ignored.

    Returns:
        int64 [n], the index of each word's head, from 0; -1 for the word that hangs on the root.
    """
    words = len(scores)
    full = np.full((words + 1, words + 1), -np.inf)
    full[1:] = scores
    full[1:, 0] -= 1 + words * np.ptp(scores)
    np.fill_diagonal(full, -np.inf)
    heads: Integers = _best_heads(full)[1:] - 1
    return heads


def _best_heads(scores: Floats) -> Integers:
    """Return the head of each node, int64 [n], from scores [n, n] of each node under each other; node 0 is the root.

    Every node takes its best head. If that makes a circle, the circle becomes one node, whose score under a head is
    what breaking it there gains or loses; the smaller graph is solved, and the circle opened where its solution enters
    it.
    """
    heads: Integers = scores.argmax(1)
    heads[0] = 0
    circle = _circle(heads)
    if not len(circle):
        return heads
    rest = np.setdiff1d(np.arange(len(scores)), circle)
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
    """Return the nodes of a circle of heads, int64; empty if every node leads to node 0."""
    far = heads
    for _ in range(len(heads).bit_length()):
        far = far[far]
    circle = [int(node) for node in far[far > 0][:1]]
    while circle and heads[circle[-1]] != circle[0]:
        circle.append(int(heads[circle[-1]]))
    return np.array(circle, dtype=np.int64)
