"""Statistics of attention maps (Clark et al. 2019, section 3): entropy, and attention by the distance of two tokens.

A map is float32 [heads, tokens, tokens] with a row for each token that attends; rows sum to 1.
"""

from __future__ import annotations

import torch
from torch import Tensor

SMOOTHING = 1e-4
"""Share of uniform attention that is mixed in before logarithms, as in the code of Clark et al."""


def smoothed(attention: Tensor, smoothing: float) -> Tensor:
    """Return attention mixed with uniform attention, so that no weight is 0.

    Args:
        attention: float [heads, tokens, tokens]; rows sum to 1.
        smoothing: share of the uniform attention in the result, 0 to 1.
    """
    return attention * (1 - smoothing) + smoothing / attention.shape[-1]


def entropy(attention: Tensor, smoothing: float = SMOOTHING) -> Tensor:
    """Return the entropy, in nats, of the attention of each token in each head, float [heads, tokens].

    Uniform attention has an entropy of ln(tokens).

    Args:
        attention: float [heads, tokens, tokens], a row for each token that attends.
        smoothing: share of uniform attention that is mixed in first.
    """
    weights = smoothed(attention, smoothing)
    return -(weights * weights.log()).sum(-1)


def offset_mass(attention: Tensor, reach: int) -> Tensor:
    """Return the attention at each offset, summed over tokens, float64 [heads, 2 * reach + 1].

    An offset is the position of the attended token minus the position of the token that attends.

    Args:
        attention: float [heads, tokens, tokens].
        reach: the largest offset; the columns are the offsets from -reach to reach.
    """
    mass = torch.zeros(len(attention), 2 * reach + 1, dtype=torch.float64)
    for column, offset in enumerate(range(-reach, reach + 1)):
        if abs(offset) < attention.shape[-1]:
            mass[:, column] = attention.diagonal(offset, -2, -1).sum(-1, dtype=torch.float64)
    return mass


def tokens_with_offset(tokens: int, reach: int) -> Tensor:
    """Return for each offset how many tokens of a text have another token at that offset, float64 [2 * reach + 1].

    Args:
        tokens: number of tokens of the text.
        reach: the largest offset; the offsets are -reach to reach.
    """
    offsets = torch.arange(-reach, reach + 1)
    return (tokens - offsets.abs()).clamp(min=0).double()


def largest_at_offset(attention: Tensor, offset: int, is_word: Tensor) -> Tensor:
    """Count for each head the tokens whose most attended token is at a given offset, int64 [heads].

    Positional heads are recognised by this count (Voita et al. 2019, section 5.1).

    Args:
        attention: float [heads, tokens, tokens], a row for each token that attends.
        offset: position of the attended token minus the position of the token that attends.
        is_word: bool [tokens]; tokens with False, such as special ones, are left out of rows and columns.
    """
    tokens = is_word.nonzero()[:, 0]
    if not len(tokens):
        return torch.zeros(len(attention), dtype=torch.int64)
    largest = tokens[attention[:, tokens][:, :, tokens].argmax(-1)]
    return (largest == tokens + offset).sum(-1)
