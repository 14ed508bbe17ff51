"""`Lattice`: all segmentations of many words into pieces, with their probabilities under a unigram model.

The positions in a word, from before its first character to after its last, are nodes; a piece between two positions is
an edge. All words are computed at once, end position by end position.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Self

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Lattice:
    """All segmentations of n words into pieces as a graph, with positions in words as nodes, and pieces as edges.

    Edges are in the order of their end position within the word, then of their end node.

    Attributes:
        starts: int64 [edges], the index of the node at which each edge starts.
        ends: int64 [edges], the index of the node at which each edge ends.
        pieces: int64 [edges], the index of each edge's piece in the vocabulary.
        first_nodes: int64 [n + 1], the index of each word's first node; the last entry is the number of nodes.
    """

    starts: Numbers
    ends: Numbers
    pieces: Numbers
    first_nodes: Numbers

    @classmethod
    def of(cls, words: Sequence[str], pieces: Mapping[str, int], *, whole: bool = True) -> Self:
        """Return the lattice of all segmentations of words into pieces.

        Args:
            words: any number of words.
            pieces: piece -> its index; every character of the words must be a piece.
            whole: whether a word of several characters may be segmented into a single piece.
        """
        longest, first_nodes = max(map(len, pieces)), np.cumsum([0, *(len(word) + 1 for word in words)])
        starts, ends, indices = array("q"), array("q"), array("q")
        for word, node in zip(words, first_nodes.tolist(), strict=False):
            for start in range(len(word)):
                for end in range(start + 1, min(len(word), start + longest) + 1):
                    index = pieces.get(word[start:end], -1)
                    if index >= 0 and (whole or end - start < len(word) or end - start == 1):
                        starts.append(node + start)
                        ends.append(node + end)
                        indices.append(index)
        first, last, number = (np.frombuffer(each, np.int64) for each in (starts, ends, indices))
        positions = last - np.repeat(first_nodes[:-1], np.diff(first_nodes))[last]
        order = np.lexsort((first, last, positions))
        return cls(first[order], last[order], number[order], first_nodes)

    def keep(self, pieces: NDArray[np.bool_]) -> Self:
        """Return the lattice of the segmentations that use only some of the pieces; the kept pieces are renumbered.

        Args:
            pieces: bool [pieces], whether each piece is kept.
        """
        edges, number = pieces[self.pieces], np.cumsum(pieces) - 1
        return replace(self, starts=self.starts[edges], ends=self.ends[edges], pieces=number[self.pieces[edges]])

    def take(self, words: NDArray[np.bool_]) -> Self:
        """Return the lattice of only some of the words.

        Args:
            words: bool [n], whether each word is kept.
        """
        sizes = np.diff(self.first_nodes)
        first_nodes = np.cumsum([0, *sizes[words].tolist()])
        moved = np.zeros(len(words), dtype=np.int64)
        moved[words] = first_nodes[:-1] - self.first_nodes[:-1][words]
        owners = np.repeat(np.arange(len(words)), sizes)[self.ends]
        edges = words[owners]
        shift = moved[owners[edges]]
        return replace(
            self,
            starts=self.starts[edges] + shift,
            ends=self.ends[edges] + shift,
            pieces=self.pieces[edges],
            first_nodes=first_nodes,
        )

    @cached_property
    def _last_nodes(self) -> Numbers:
        return self.first_nodes[1:] - 1

    @cached_property
    def _groups(self) -> list[tuple[slice, Numbers, Numbers]]:
        """For each end position in words: its edges, the index among them of each node's first edge, the nodes."""
        heads = np.flatnonzero(np.diff(self.ends, prepend=-1))
        words = np.searchsorted(self.first_nodes, self.ends[heads], side="right") - 1
        position = self.ends[heads] - self.first_nodes[words]
        bounds = [*np.flatnonzero(np.diff(position, prepend=-1)).tolist(), len(heads)]
        edge_bounds = np.append(heads, len(self.ends))
        groups = []
        for low, high in pairwise(bounds):
            begin, stop = int(edge_bounds[low]), int(edge_bounds[high])
            groups.append((slice(begin, stop), heads[low:high] - begin, self.ends[heads[low:high]]))
        return groups

    def expected_counts(self, scores: Floats, weights: Floats) -> tuple[Floats, float]:
        """Compute the expected number of occurrences of each piece in the words, and the log-probability of all words.

        Args:
            scores: float64 [pieces], log-probabilities of pieces.
            weights: float64 [n], the number of occurrences of each word.

        Returns:
            Expected counts, float64 [pieces]; the log-probability, summed over occurrences of words.
        """
        edge_scores = scores[self.pieces]
        forward = np.zeros(int(self.first_nodes[-1]))
        for edges, heads, nodes in self._groups:
            values = forward[self.starts[edges]] + edge_scores[edges]
            most = np.maximum.reduceat(values, heads)
            sums = np.add.reduceat(np.exp(values - np.repeat(most, _sizes(heads, len(values)))), heads)
            forward[nodes] = most + np.log(sums)
        passing, expected = np.zeros(len(forward)), np.zeros(len(edge_scores))
        passing[self._last_nodes] = weights
        for edges, _, _ in reversed(self._groups):
            starts, ends = self.starts[edges], self.ends[edges]
            expected[edges] = passing[ends] * np.exp(forward[starts] + edge_scores[edges] - forward[ends])
            np.add.at(passing, starts, expected[edges])
        counts: Floats = np.bincount(self.pieces, expected, len(scores)).astype(np.float64)
        return counts, float(weights @ forward[self._last_nodes])

    def best(self, scores: Floats) -> tuple[Numbers, Numbers]:
        """Return the most probable segmentation of each word; at a tie, the segmentation with the longest last piece.

        Args:
            scores: float64 [pieces], log-probabilities of pieces.

        Returns:
            (pieces, words), int64 [m] each: the indices of the pieces of all words, and the index of each piece's word.
            A word's pieces are in reverse order, the last piece first.
        """
        edge_scores = scores[self.pieces]
        forward = np.zeros(int(self.first_nodes[-1]))
        arriving = np.zeros(len(forward), dtype=np.int64)
        for edges, heads, nodes in self._groups:
            values = forward[self.starts[edges]] + edge_scores[edges]
            forward[nodes] = np.maximum.reduceat(values, heads)
            sizes = _sizes(heads, len(values))
            best = np.flatnonzero(values == np.repeat(forward[nodes], sizes))
            owners = np.repeat(np.arange(len(nodes)), sizes)[best]
            arriving[nodes[owners[::-1]]] = edges.start + best[::-1]
        traced = list(self._traced(arriving))
        pieces = [self.pieces[edges] for edges, _ in traced]
        return np.concatenate(pieces), np.concatenate([words for _, words in traced])

    def _traced(self, arriving: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
        """Yield (edges, words): the last edge of each word's best segmentation, then the edge before, and so on.

        Args:
            arriving: int64 [nodes], the index of the best edge that ends at each node.
        """
        words = np.flatnonzero(self._last_nodes > self.first_nodes[:-1])
        nodes = self._last_nodes[words]
        while len(words):
            edges = arriving[nodes]
            yield edges, words
            nodes = self.starts[edges]
            left = nodes > self.first_nodes[words]
            words, nodes = words[left], nodes[left]


def _sizes(heads: Numbers, total: int) -> Numbers:
    return np.diff(np.append(heads, total))
