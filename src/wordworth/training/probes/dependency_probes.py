"""Dependency probes of Clark et al. 2019 (arXiv 1906.04341, section 5), which predict each word's syntactic head.

The candidates for a word's head are all other words of the sentence and the root. A candidate's probability is the
softmax of its score over all candidates of the word.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

import torch
from torch import Tensor, nn

from wordworth.training.probes.word_pairs import WordPairs

_HIDDEN = 256
_NEAR = (-2, -1, 1, 2)
DISTANCES = 3 + len(_NEAR)
"""Number of features of the distance between two words."""


class DependencyProbe(nn.Module, ABC):
    """A base class of probes that score the candidates for each word's syntactic head: other words and the root.

    A learned bias is added to the score of the root.

    Attributes:
        rates: learning rates to try; the probe with the lowest held-out loss is kept.
    """

    rates: ClassVar[tuple[float, ...]] = (1e-3, 3e-3, 1e-2)

    def __init__(self) -> None:
        super().__init__()
        self.root = nn.Parameter(torch.zeros(()))

    @abstractmethod
    def scores(self, pairs: WordPairs) -> Tensor:
        """Return the score of each pair of a word and a candidate for its head, [pairs].

        The learned bias of the root is not added yet.
        """

    def forward(self, pairs: WordPairs) -> Tensor:
        """Return the score of each pair of a word and a candidate for its syntactic head, [pairs]."""
        return self.scores(pairs) + self.root * pairs.is_root

    def initialise(self, generator: torch.Generator) -> None:  # noqa: ARG002 - for probes with hidden units
        """Set all weights of the probe to 0, which is enough if scores are linear in them and the loss is convex."""
        for parameter in self.parameters():
            nn.init.zeros_(parameter)


class AttentionProbe(DependencyProbe):
    """A dependency probe that reads nothing but the attention between two words, in both directions.

    The score of word j as the syntactic head of word i is Σ_k w_k a^k_ij + u_k a^k_ji. Here a^k_ij is the attention of
    word i to word j in attention head k; w and u are learned.

    Args:
        maps: number of attention maps: two for each attention head, its map and the transposed map.
    """

    rates = (0.03, 0.1, 0.3)

    def __init__(self, maps: int) -> None:
        super().__init__()
        self.weights = nn.Parameter(torch.zeros(maps))

    def scores(self, pairs: WordPairs) -> Tensor:
        """Return the score of each pair of a word and a candidate for its syntactic head, [pairs]."""
        return pairs.maps @ self.weights


class AttentionAndWordsProbe(DependencyProbe):
    """A dependency probe of attention and words: both words' vectors decide how much each attention head counts.

    The score of word j as the syntactic head of word i is
    Σ_k (W_k (v_i ⊕ v_j) + b_k) a^k_ij + (U_k (v_i ⊕ v_j) + c_k) a^k_ji.
    Here v_i is the static vector of word i, and a^k_ij its attention to word j in attention head k. The vectors, whose
    mean square is 1, are divided by the square root of their width, so that the same learning rates suit all widths.

    Args:
        maps: number of attention maps: two for each attention head, its map and the transposed map.
        width: width of the static vectors.
    """

    def __init__(self, maps: int, width: int) -> None:
        super().__init__()
        self.of_dependent = nn.Linear(width, maps)
        self.of_candidate = nn.Linear(width, maps, bias=False)

    def scores(self, pairs: WordPairs) -> Tensor:
        """Return the score of each pair of a word and a candidate for its syntactic head, [pairs]."""
        vectors = pairs.vectors / pairs.vectors.shape[1] ** 0.5
        weights = self.of_dependent(vectors)[pairs.dependents] + self.of_candidate(vectors)[pairs.candidates]
        scores: Tensor = (weights * pairs.maps).sum(1)
        return scores


class WordsProbe(DependencyProbe):
    """A baseline probe without attention: a tanh layer over the static vectors of both words of a pair.

    Args:
        width: width of the static vectors.
        distances: whether the layer also reads the distance between the words.
        hidden: number of hidden units.
    """

    rates = (3e-4, 1e-3, 3e-3)

    def __init__(self, width: int, *, distances: bool, hidden: int = _HIDDEN) -> None:
        super().__init__()
        self.of_dependent = nn.Linear(width, hidden)
        self.of_candidate = nn.Linear(width, hidden, bias=False)
        self.of_distance = nn.Linear(DISTANCES, hidden, bias=False) if distances else None
        self.output = nn.Linear(hidden, 1, bias=False)

    def initialise(self, generator: torch.Generator) -> None:
        """Initialise the weights: matrices at random, such that they keep the variance of their input; biases as 0."""
        super().initialise(generator)
        for parameter in self.parameters():
            if parameter.ndim > 1:
                nn.init.normal_(parameter, std=parameter.shape[1] ** -0.5, generator=generator)

    def scores(self, pairs: WordPairs) -> Tensor:
        """Return the score of each pair of a word and a candidate for its syntactic head, [pairs]."""
        hidden = self.of_dependent(pairs.vectors)[pairs.dependents] + self.of_candidate(pairs.vectors)[pairs.candidates]
        if self.of_distance is not None:
            hidden = hidden + self.of_distance(distance_features(pairs))
        scores: Tensor = self.output(torch.tanh(hidden))[:, 0]
        return scores


def distance_features(pairs: WordPairs) -> Tensor:
    """Return features of the distance between the words of each pair, float32 [pairs, `DISTANCES`].

    The features follow Clark et al. 2019: the distance divided by the sentence's length, one feature for candidates to
    the left and one for candidates to the right; a flag for each distance of one or two words to either side; and a
    flag for the root.
    """
    share = pairs.offsets / pairs.lengths
    near = [(pairs.offsets == offset).float() for offset in _NEAR]
    return torch.stack([share.clamp(max=0), share.clamp(min=0), *near, pairs.is_root], dim=1)
