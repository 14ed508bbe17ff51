"""How much of a tree is in predicted distances and depths, as Hewitt and Manning 2019 count it.

Edges (UUAS) and the root are those of words that are counted, punctuation left out of both trees; rank correlations
(DSpr, NSpr) are of all words, averaged over sentences of each length and then over the lengths from 5 to 50.
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
    """A sentence of n words as its tree.

    Attributes:
        distances: int64 [n, n], number of edges between each two words.
        depths: int64 [n], number of edges from the root.
        is_counted: bool [n], the words among which edges and the root are looked for: all but punctuation.
    """

    distances: Integers
    depths: Integers
    is_counted: Flags

    @cached_property
    def edges(self) -> set[tuple[int, int]]:
        """The edges to find, of the spanning tree of counted words; computed once for all probes."""
        return spanning_edges(floats(self.distances), self.is_counted)


def spanning_edges(distances: Floats, is_counted: Flags) -> set[tuple[int, int]]:
    """Return the edges of the minimum spanning tree of counted words, the word that comes first first.

    Of equal distances the pair that comes first in the sentence is taken first, as Kruskal's algorithm does with a
    stable order.

    Args:
        distances: [n, n], symmetric.
        is_counted: bool [n].
    """
    words = np.flatnonzero(is_counted)
    first, second = np.triu_indices(len(words), 1)
    order = np.argsort(distances[words[first], words[second]], kind="stable")
    weights = np.empty(len(order))
    weights[order] = np.arange(1, len(order) + 1)
    tree = minimum_spanning_tree(coo_matrix((weights, (first, second)), shape=(len(words),) * 2)).tocoo()
    return {(int(word), int(other)) for word, other in zip(words[tree.row], words[tree.col], strict=True)}


def right_edges(tree: Tree, predicted: Floats) -> tuple[int, int]:
    """Return the number of edges that both spanning trees of a sentence have, and the number of those to find.

    Args:
        tree: the sentence.
        predicted: [n, n], predicted distances.
    """
    return len(tree.edges & spanning_edges(predicted, tree.is_counted)), len(tree.edges)


def distance_spearman(tree: Tree, predicted: Floats) -> float:
    """Return Spearman's correlation of true and predicted distances from each word, mean over words.

    Args:
        tree: the sentence.
        predicted: [n, n], predicted distances.
    """
    return float(_row_spearman(tree.distances, predicted).mean())


def depth_spearman(tree: Tree, predicted: Floats) -> float:
    """Return Spearman's correlation of true and predicted depths of a sentence; `predicted` is [n]."""
    return float(_row_spearman(tree.depths[None], predicted[None])[0])


def is_root_found(tree: Tree, predicted: Floats) -> bool:
    """Return whether the word of the least predicted depth [n], of those counted, is the root."""
    counted = tree.is_counted if tree.is_counted.any() else ~tree.is_counted
    return bool(tree.depths[np.where(counted, predicted, np.inf).argmin()] == 0)


def length_mean(values: Floats, lengths: Integers, weights: Floats) -> Floats:
    """Return the mean over lengths from 5 to 50 of the mean value of sentences so long; float64 [draws, k].

    Args:
        values: float64 [sentences, k].
        lengths: int64 [sentences], in words.
        weights: float64 [draws, sentences], how often each sentence counts.

    Returns:
        NaN where no sentence has such a length.
    """
    sums, present = np.zeros((len(weights), values.shape[1])), np.zeros((len(weights), 1))
    for length in range(LENGTHS[0], LENGTHS[1] + 1):
        if (of_length := lengths == length).any():
            below = weights[:, of_length].sum(1, keepdims=True)
            sums += ratio(weights[:, of_length] @ values[of_length], below)
            present += below > 0
    return ratio(sums, present, otherwise=np.nan)


def _row_spearman(first: Integers, second: Floats) -> Floats:
    """Return Spearman's correlation of each row with its row, float64 [rows]; 0 where one is constant."""
    ranks = [rankdata(side, axis=1) for side in (first, second)]
    x, y = (side - side.mean(1, keepdims=True) for side in ranks)
    return floats(ratio((x * y).sum(1), np.sqrt((x * x).sum(1) * (y * y).sum(1))))
