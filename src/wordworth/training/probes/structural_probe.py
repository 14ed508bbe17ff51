"""Structural probes (Hewitt and Manning 2019, NAACL): a linear map B of states h that predicts syntax trees.

A distance probe predicts the number of edges between two words of the tree as ||B(h_i - h_j)||², a depth probe the
number of edges from the root as ||B h_i||². A control does not square these lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordworth.measures.tree_recovery import Tree
from wordworth.training.loop import Loss

_FIRST_WEIGHTS = 0.05
_STILL = 1e-12
"""Squared lengths below this are taken for it where a root of them is taken, whose slope at 0 is infinite."""


@dataclass(frozen=True, slots=True)
class WordBatch:
    """The words of some sentences with their states, and the distances and depths of the sentences' trees.

    Attributes:
        states: float32 [words, width], the states of all words, sentences end to end.
        is_word: bool [sentences, longest], which positions hold words if sentences are padded to the longest.
        distances: float32 [sentences, longest, longest], the number of edges between two words in the tree; 0 for
            padding.
        depths: float32 [sentences, longest], the number of edges between a word and the root; 0 for padding.
    """

    states: Tensor
    is_word: Tensor
    distances: Tensor
    depths: Tensor

    @classmethod
    def of(cls, states: Sequence[NDArray[np.floating]], trees: Sequence[Tree]) -> WordBatch:
        """Return the batch of one or more sentences for a structural probe.

        Args:
            states: for each sentence, [words, width], the states of its words.
            trees: the tree of each sentence.
        """
        lengths = np.array([len(each) for each in states])
        size, longest = len(states), int(lengths.max())
        distances, depths = np.zeros((size, longest, longest), np.float32), np.zeros((size, longest), np.float32)
        for row, (length, tree) in enumerate(zip(lengths, trees, strict=True)):
            distances[row, :length, :length], depths[row, :length] = tree.distances, tree.depths
        words = np.concatenate(states).astype(np.float32)
        return cls(*map(torch.from_numpy, (words, np.arange(longest) < lengths[:, None], distances, depths)))


def padded(values: Tensor, is_word: Tensor) -> Tensor:
    """Return values of words, [words, ...], in the shape [sentences, longest, ...], with zeros for padding.

    Args:
        values: [words, ...], the values of the words of all sentences, end to end.
        is_word: bool [sentences, longest], which positions hold words if sentences are padded to the longest.
    """
    return values.new_zeros(*is_word.shape, *values.shape[1:]).index_put((is_word,), values)


class StructuralProbe(nn.Module):
    """A structural probe: a linear map B of states h that predicts distances and depths of words in a syntax tree.

    The length of B (h_i - h_j) predicts the distance of words i and j, the length of B h_i the depth of word i.

    Args:
        width: width of the states h.
        rank: number of rows of B.
        squared: whether lengths are squared, as in Hewitt and Manning 2019.
    """

    def __init__(self, width: int, rank: int, *, squared: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(rank, width))
        self.squared = squared

    def initialise(self, generator: torch.Generator) -> None:
        """Draw the entries of B uniformly from -0.05 to 0.05, as Hewitt and Manning's code does."""
        nn.init.uniform_(self.weight, -_FIRST_WEIGHTS, _FIRST_WEIGHTS, generator=generator)

    def project(self, states: Tensor) -> Tensor:
        """Return B h for the states h of words, [words, width], as [words, rank]."""
        return states @ self.weight.T

    def distances(self, batch: WordBatch) -> Tensor:
        """Return the predicted distance between every two words of each sentence, [sentences, longest, longest]."""
        projected = padded(self.project(batch.states), batch.is_word)
        square = projected.square().sum(-1)
        lengths = square[:, :, None] + square[:, None] - 2 * projected @ projected.transpose(1, 2)
        return self._lengths(lengths.clamp(min=0))

    def depths(self, batch: WordBatch) -> Tensor:
        """Return the predicted depth of every word in its sentence's tree, [sentences, longest]."""
        return self._lengths(padded(self.project(batch.states).square().sum(-1), batch.is_word))

    def _lengths(self, squares: Tensor) -> Tensor:
        return squares if self.squared else squares.clamp(min=_STILL).sqrt()

    def distance_loss(self, batch: WordBatch) -> Loss:
        """Return the absolute error of predicted distances, averaged over pairs of words and summed over sentences.

        The loss is equation 2 of Hewitt and Manning 2019.
        """
        pairs = batch.is_word[:, :, None] & batch.is_word[:, None]
        return _mean_gap(self.distances(batch), batch.distances, pairs)

    def depth_loss(self, batch: WordBatch) -> Loss:
        """Return the absolute error of predicted depths, averaged over the words and summed over the sentences.

        Hewitt and Manning 2019 define this loss in section 3.
        """
        return _mean_gap(self.depths(batch), batch.depths, batch.is_word)


def _mean_gap(predicted: Tensor, true: Tensor, counts: Tensor) -> Loss:
    """Return the mean absolute difference in each sentence, summed over sentences, which the loss counts as targets.

    Args:
        predicted: [sentences, ...], predicted distances or depths.
        true: the true values, in the same shape.
        counts: bool in the same shape, whether a value counts; False for padding.
    """
    inner = tuple(range(1, counts.ndim))
    gaps = ((predicted - true).abs() * counts).sum(inner) / counts.sum(inner)
    return Loss(gaps.sum(), len(gaps))
