"""`AttentionMaps`: the attention of every head of a model over one text, and statistics of each head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Flags, Floats, Integers, floats, ratio
from wordworth.measures.word_level_attention import attention_between_groups

Weights: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """The words of a text; each special token counts as a word of its own.

    Attributes:
        names: each word as it is written.
        of_token: int64 [tokens], the index of each token's word; every word has a token.
    """

    names: tuple[str, ...]
    of_token: Integers


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """The queries and the keys of a model for one text, float32 [layers, heads, tokens, size of a head] each.

    Their dot products are the attention logits.
    """

    query: Weights
    key: Weights


@dataclass(frozen=True, slots=True, eq=False)
class AttentionMaps:
    """The attention maps of a model over one text or pair of texts.

    Attributes:
        name: name of the model.
        tokens: each token, special ones included.
        weights: float32 [layers, heads, tokens, tokens], with a row for each token that attends; zeros for a head that
            was removed from the model.
        special: bool [tokens], whether a token is special.
        second: index of the first token of the second text; None for one text. Special tokens belong to the text before
            them.
        words: the words of the tokens; None where they are not known.
        vectors: queries and keys, [layers, heads, tokens, size of a head] each; None where they are not known.
    """

    name: str
    tokens: tuple[str, ...]
    weights: Weights
    special: Flags
    second: int | None = None
    words: Words | None = None
    vectors: Vectors | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """The pair (number of layers, number of heads in a layer)."""
        layers, heads = self.weights.shape[:2]
        return int(layers), int(heads)

    @property
    def present(self) -> Flags:
        """Whether each head is in the model, bool [layers, heads]; a head with only zero weights was removed."""
        return np.array([layer.any((-2, -1)) for layer in self.weights])

    def by_words(self) -> AttentionMaps:
        """Return the attention maps between words instead of tokens.

        Weights to the tokens of a word are summed, weights from its tokens averaged. If the words of the tokens are not
        known, the maps are returned unchanged. The result has no queries and keys, as they belong to tokens.
        """
        if self.words is None:
            return self
        number, of_token = len(self.words.names), self.words.of_token
        first = np.array([int(np.flatnonzero(of_token == word)[0]) for word in range(number)])
        return replace(
            self,
            tokens=self.words.names,
            weights=np.stack([attention_between_groups(layer, of_token, number) for layer in self.weights]),
            special=self.special[first],
            second=None if self.second is None else int(of_token[self.second]),
            words=None,
            vectors=None,
        )

    def by_layer(self, statistic: Callable[[Weights], Floats]) -> Floats:
        """Compute a statistic for every head and return an array of the statistics, [layers, ...].

        The statistic is computed for one layer at a time, since the maps of all layers are large.

        Args:
            statistic: function that takes the weights of a layer, float32 [heads, tokens, tokens], and returns a
                statistic of each head.
        """
        return floats(np.stack([statistic(layer) for layer in self.weights]))


def entropies(weights: Weights) -> Floats:
    """Return the entropy of each token's attention distribution in nats, float64 [..., tokens].

    Uniform attention has the entropy ln(tokens).

    Args:
        weights: attention maps, float32 [..., tokens, tokens], with a row for each token that attends.
    """
    weight = np.maximum(weights.astype(np.float64), 0)
    return floats(-(weight * np.log(np.where(weight > 0, weight, 1))).sum(-1))


def mass(weights: Weights, rows: Flags, columns: Flags) -> Floats:
    """Return the share of the attention of the tokens `rows` that goes to the tokens `columns`, float64 [...].

    The share is NaN if the tokens `rows` have no attention.

    Args:
        weights: attention maps, float32 [..., tokens, tokens], with a row for each token that attends.
        rows: bool [tokens], the tokens that attend.
        columns: bool [tokens], the tokens attended to.
    """
    chosen = weights[..., rows, :]
    whole = chosen.sum((-2, -1), dtype=np.float64)
    return ratio(chosen[..., columns].sum((-2, -1), dtype=np.float64), whole, otherwise=np.nan)


def offset_share(weights: Weights, offset: int) -> Floats:
    """Return the mean attention to the token at a fixed offset, float64 [...].

    The mean is over the tokens that have a token at this offset; it is NaN if no token has one.

    Args:
        weights: attention maps, float32 [..., tokens, tokens], with a row for each token that attends.
        offset: position of the attended token relative to the one that attends; 0 is the token itself.
    """
    if abs(offset) >= weights.shape[-1]:
        return np.full(weights.shape[:-2], np.nan)
    return floats(np.diagonal(weights, offset, -2, -1).mean(-1, dtype=np.float64))


def received(weights: Weights) -> Floats:
    """Return the mean attention that each token receives, float64 [..., tokens].

    Args:
        weights: attention maps, float32 [..., tokens, tokens], with a row for each token that attends.
    """
    return floats(weights.mean(-2, dtype=np.float64))


def row_divergences(first: Weights, second: Weights) -> Floats:
    """Return the Jensen-Shannon divergence of two maps in nats, 0 to ln 2, averaged over rows: float64 [...].

    Args:
        first: attention maps, float32 [..., tokens, tokens], with a row for each token that attends.
        second: the attention maps to compare with, of the same shape.
    """
    both = (first.astype(np.float64) + second) / 2
    apart = entropies(both) - (entropies(first) + entropies(second)) / 2  # type: ignore[arg-type]  # of any float
    return floats(np.maximum(apart.mean(-1), 0))
