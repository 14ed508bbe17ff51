"""A biaffine dependency parser on frozen states (Dozat and Manning 2017, arXiv 1611.01734, section 3).

The parser has a learned mix of the encoder's layers, a small layer for each of a word's four roles (dependent or head,
of an arc or of a label), and two biaffine maps. One map scores every word as the head of every other word; the other
scores the relations between a word and its head. The BiLSTM of Dozat and Manning is left out, since an encoder's states
depend on the context already.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from wordworth.measures.arborescence import best_tree
from wordworth.measures.weighted_sums import Integers
from wordworth.models.dropout import dropped
from wordworth.training.loop import Loss
from wordworth.training.probes.scalar_mix import ScalarMix
from wordworth.training.probes.structural_probe import padded

ARC, LABEL = 256, 64
"""Widths of the layers before the two maps, where the authors have 500 and 100."""
_WIDTHS = [ARC, ARC, LABEL, LABEL]
_DROPOUT = 1 / 3


@dataclass(frozen=True, slots=True)
class ParserBatch:
    """The words of some sentences as the input of a parser, all sentences end to end.

    Attributes:
        states: float32 [words, layers, width], the states of each word in the encoder's layers.
        lengths: number of words of each sentence.
    """

    states: Tensor
    lengths: Sequence[int]

    @property
    def is_word(self) -> Tensor:
        """Which positions hold words if sentences are padded to the longest, bool [sentences, longest]."""
        return torch.arange(max(self.lengths)) < torch.tensor(self.lengths)[:, None]

    def rows_of(self, head_indices: NDArray[np.int64]) -> Tensor:
        """Return the index of each word's head among the words of all sentences, int64 [words].

        The index of the root is the number of words of all sentences.

        Args:
            head_indices: int64 [words], the index of each word's head in its sentence, -1 for the root.
        """
        starts = np.repeat(np.cumsum([0, *self.lengths])[:-1], self.lengths)
        return torch.from_numpy(np.where(head_indices < 0, len(head_indices), head_indices + starts))


class Roles(NamedTuple):
    """The vectors of all words in each of four roles: as dependent or head of an arc, as dependent or head of a label.

    Each is [words, width of the role].
    """

    arc_dependents: Tensor
    arc_heads: Tensor
    label_dependents: Tensor
    label_heads: Tensor


class BiaffineParser(nn.Module):
    """A biaffine dependency parser, which scores arcs and labels and finds the tree with the highest sum of arc scores.

    Args:
        layers: number of layers of the encoder that the parser reads.
        width: width of a layer.
        labels: number of relations.
    """

    def __init__(self, layers: int, width: int, labels: int) -> None:
        super().__init__()
        self.mix = ScalarMix(layers)
        self.roles = nn.Linear(width, sum(_WIDTHS))
        self.arc_root, self.label_root = nn.Parameter(torch.empty(1, ARC)), nn.Parameter(torch.empty(1, LABEL))
        self.arc = nn.Parameter(torch.empty(ARC + 1, ARC))
        self.label = nn.Parameter(torch.empty(labels, LABEL + 1, LABEL + 1))

    def initialise(self, generator: torch.Generator) -> None:
        """Initialise the weights: the role layer at random, such that it keeps the variance of its input.

        The role layer's weights are drawn from a normal distribution. Both biaffine maps start at 0, as in Dozat and
        Manning 2017.
        """
        nn.init.normal_(self.roles.weight, std=self.roles.in_features**-0.5, generator=generator)
        for root in (self.arc_root, self.label_root):
            nn.init.normal_(root, generator=generator)
        for weights in (self.roles.bias, self.arc, self.label):
            nn.init.zeros_(weights)

    def roles_of(self, batch: ParserBatch, generator: torch.Generator | None = None) -> Roles:
        """Return the vectors of all words in each of the four roles (`Roles`).

        Args:
            batch: the words.
            generator: source of dropout; None computes without dropout.
        """
        hidden = functional.relu(self.roles(dropped(self.mix(batch.states), _DROPOUT, generator)))
        return Roles(*torch.split(dropped(hidden, _DROPOUT, generator), _WIDTHS, 1))

    def arc_scores(self, roles: Roles, is_word: Tensor) -> Tensor:
        """Return the score of each candidate head of each word; the first candidate is the root.

        Args:
            roles: role vectors of all words, end to end.
            is_word: bool [sentences, longest], which positions hold words if sentences are padded to the longest.

        Returns:
            [sentences, longest (words), 1 + longest (heads)]; minus infinity for a word as its own head, and for
            padding as a head.
        """
        heads = padded(roles.arc_heads, is_word)
        heads = torch.cat([self.arc_root.expand(len(heads), 1, -1), heads], 1)
        scores: Tensor = padded(_with_one(roles.arc_dependents) @ self.arc, is_word) @ heads.transpose(1, 2)
        is_head = functional.pad(is_word, (1, 0), value=True)[:, None]
        itself = functional.pad(torch.eye(is_word.shape[1], dtype=torch.bool), (1, 0))
        return scores.masked_fill(~is_head | itself, -torch.inf)

    def label_scores(self, roles: Roles, head_indices: Tensor) -> Tensor:
        """Return the score of each relation between each word and its head, [words, relations].

        Args:
            roles: role vectors of all words, end to end.
            head_indices: int64 [words], the index of each word's head among all words; the number of words for the
                root.
        """
        of_heads = _with_one(torch.cat([roles.label_heads, self.label_root])[head_indices])
        by_label = torch.einsum("nd,rdh->nrh", _with_one(roles.label_dependents), self.label)
        return (by_label @ of_heads[:, :, None])[:, :, 0]

    def loss(
        self, batch: ParserBatch, head_indices: Integers, labels: Integers, generator: torch.Generator | None = None
    ) -> Loss:
        """Return the cross-entropy of heads plus the cross-entropy of labels given the true heads.

        Both losses are summed over words, in nats.

        Args:
            batch: the words.
            head_indices: int64 [words], the index of each word's head in its sentence, -1 for the root.
            labels: int64 [words], the index of each word's relation.
            generator: source of dropout; None computes without dropout.
        """
        roles, is_word = self.roles_of(batch, generator), batch.is_word
        arcs = self.arc_scores(roles, is_word)[is_word]
        of_labels = self.label_scores(roles, batch.rows_of(head_indices))
        total = functional.cross_entropy(arcs, torch.from_numpy(head_indices + 1), reduction="sum")
        total = total + functional.cross_entropy(of_labels, torch.from_numpy(labels), reduction="sum")
        return Loss(total, len(head_indices))

    def parse(self, batch: ParserBatch) -> tuple[Integers, Integers]:
        """Parse sentences; return (heads, relations) of their words, int64 [words] each.

        A head is the index of a word in its sentence, or -1 for the root. The heads form the tree with the highest
        score (`measures.arborescence`); a relation is the likeliest between a word and its head.
        """
        with torch.inference_mode():
            roles = self.roles_of(batch)
            heads = self._best_heads(roles, batch)
            return heads, self.label_scores(roles, batch.rows_of(heads)).argmax(1).numpy()

    def head_indices(self, batch: ParserBatch) -> Integers:
        """Return the heads of words as `parse` does, int64 [words], without relations, which take most of its time."""
        with torch.inference_mode():
            return self._best_heads(self.roles_of(batch), batch)

    def _best_heads(self, roles: Roles, batch: ParserBatch) -> Integers:
        arcs = self.arc_scores(roles, batch.is_word).log_softmax(2).double().numpy()
        trees = zip(arcs, batch.lengths, strict=True)
        return np.concatenate([best_tree(_finite(scores[:size, : size + 1])) for scores, size in trees])


def _with_one(vectors: Tensor) -> Tensor:
    """Return vectors [n, width] with a 1 appended, [n, width + 1], so that a biaffine map has linear terms."""
    return functional.pad(vectors, (0, 1), value=1.0)


def _finite(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return scores of arcs with 0 in place of infinity, for a word as its own head, which no tree has."""
    return np.where(np.isfinite(scores), scores, 0.0)
