"""Attention between words, computed from attention between their subwords (Clark et al. 2019, section 4.1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Integers


def attention_between_groups(attention: NDArray[np.float32], groups: Integers, number: int) -> NDArray[np.float32]:
    """Return the attention between groups of tokens, such as the subwords of a word, from attention between tokens.

    Weights to the tokens of a group are summed, weights from its tokens averaged, so that rows that sum to 1 still do.

    Args:
        attention: float32 [heads, tokens, tokens], a row for each token that attends.
        groups: int64 [tokens], the group of each token, 0 to `number` - 1.
        number: number of groups; the attention from and to a group without tokens is 0.

    Returns:
        float32 [heads, number, number].
    """
    indicator = np.zeros((len(groups), number), np.float32)
    indicator[np.arange(len(groups)), groups] = 1
    sizes = np.maximum(indicator.sum(0), 1)
    grouped: NDArray[np.float32] = (indicator / sizes).T @ (attention @ indicator)
    return grouped


def words_and_others(words: Integers, number: int) -> tuple[Integers, int]:
    """Return (the group of each token, number of groups), with the tokens of a word as one group.

    The words are the first groups. After them, each token that belongs to no word is a group of its own.

    Args:
        words: int [tokens], the index of each token's word; -1 for special tokens.
        number: number of words.
    """
    special = words < 0
    groups = np.where(special, number - 1 + special.cumsum(), words).astype(np.int64)
    return groups, number + int(special.sum())
