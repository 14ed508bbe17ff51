"""Scores of predicted distances and depths against a dependency tree, as in Hewitt and Manning 2019.

Edges (UUAS) and the root are scored among counted words: punctuation is left out of both trees. Rank correlations
(DSpr, NSpr) are over all words; they are averaged over sentences of each length and then over the lengths 5 to 50.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.stats import rankdata

from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats, ratio

LENGTHS = (5, 50)
"""The shortest and the longest sentences, in words, whose rank correlations are averaged."""


@dataclass(frozen=True)
class Tree:
    """The dependency tree of a sentence of n words.

    Attributes:
        distances: int64 [n, n], number of edges between each pair of words.
        depths: int64 [n], number of edges from the root.
        is_counted: bool [n], the words among which edges and the root are scored: all but punctuation.
    """

    distances: Integers
    depths: Integers
    is_counted: Flags

    @cached_property
    def edges(self) -> set[tuple[int, int]]:
        """The edges of the minimum spanning tree of the counted words by true distance, computed once."""
        return spanning_edges(floats(self.distances), self.is_counted)


def spanning_edges(distances: Floats, is_counted: Flags) -> set[tuple[int, int]]:
    """Return the edges of the minimum spanning tree of a sentence's words, each as (earlier word, later word).

    Only words that are counted belong to the tree. Among equal distances, pairs are taken in the order of the sentence
    (Kruskal's algorithm with a stable sort).

    Args:
        distances: [n, n], the distance between each pair of words, symmetric.
        is_counted: bool [n], whether each word belongs to the tree.
    """
    words = np.flatnonzero(is_counted)
    first, second = np.triu_indices(len(words), 1)
    order = np.argsort(distances[words[first], words[second]], kind="stable")
    weights = np.empty(len(order))
    weights[order] = np.arange(1, len(order) + 1)
    tree = minimum_spanning_tree(coo_matrix((weights, (first, second)), shape=(len(words),) * 2)).tocoo()
    return {(int(word), int(other)) for word, other in zip(words[tree.row], words[tree.col], strict=True)}


def right_edges(tree: Tree, predicted: Floats) -> tuple[int, int]:
    """Return (number of edges that the predicted and the true spanning tree share, number of true edges).

    Args:
        tree: the sentence's tree.
        predicted: [n, n], predicted distances.
    """
    return len(tree.edges & spanning_edges(predicted, tree.is_counted)), len(tree.edges)


def distance_spearman(tree: Tree, predicted: Floats) -> float:
    """Return Spearman's correlation between true and predicted distances in a sentence, averaged over its words.

    For each word, the distances from it to all words are correlated.

    Args:
        tree: the sentence's tree.
        predicted: [n, n], the predicted distances.
    """
    return float(_row_spearman(tree.distances, predicted).mean())


def depth_spearman(tree: Tree, predicted: Floats) -> float:
    """Return Spearman's correlation between the true and the predicted depths of a sentence's words.

    Args:
        tree: the sentence's tree.
        predicted: [n], the predicted depths.
    """
    return float(_row_spearman(tree.depths[None], predicted[None])[0])


def is_root_found(tree: Tree, predicted: Floats) -> bool:
    """Return whether the word with the smallest predicted depth is the root of the sentence.

    Only words that are counted (`Tree.is_counted`) are compared, or all words if no word is counted.

    Args:
        tree: the sentence's tree.
        predicted: [n], the predicted depths.
    """
    counted = tree.is_counted if tree.is_counted.any() else ~tree.is_counted
    return bool(tree.depths[np.where(counted, predicted, np.inf).argmin()] == 0)


def length_mean(values: Floats, lengths: Integers, weights: Floats) -> Floats:
    """Return the mean value of sentences of each length, averaged over the lengths 5 to 50, float64 [draws, k].

    Args:
        values: float64 [sentences, k], k values of each sentence.
        lengths: int64 [sentences], the number of words of each sentence.
        weights: float64 [draws, sentences], how often each sentence is in each bootstrap resample (draw).

    Returns:
        The means; NaN if no sentence has a length from 5 to 50.
    """
    sums, present = np.zeros((len(weights), values.shape[1])), np.zeros((len(weights), 1))
    for length in range(LENGTHS[0], LENGTHS[1] + 1):
        if (of_length := lengths == length).any():
            below = weights[:, of_length].sum(1, keepdims=True)
            sums += ratio(weights[:, of_length] @ values[of_length], below)
            present += below > 0
    return ratio(sums, present, otherwise=np.nan)


def _row_spearman(first: Integers, second: Floats) -> Floats:
    """Return Spearman's correlation of each row of two arrays, float64 [rows]; 0 where a row of either is constant."""
    ranks = [rankdata(side, axis=1) for side in (first, second)]
    x, y = (side - side.mean(1, keepdims=True) for side in ranks)
    return floats(ratio((x * y).sum(1), np.sqrt((x * x).sum(1) * (y * y).sum(1))))
