"""Compute the attention between the words of sentences, one sentence at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.word_level_attention import attention_between_groups, words_and_others
from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.models.activations import activations
from wordworth.models.encoder_base import Encoder
from wordworth.progress import Step
from wordworth.text.tokens import Tokens

_BATCH_TOKENS = 1_024
"""Number of tokens whose attention is in memory together."""


def word_attention(
    model: Encoder, tokens: Sequence[Tokens], lengths: Sequence[int], step: Step
) -> Iterator[NDArray[np.float32]]:
    """Yield the attention between the words of each sentence, float32 [layers x heads, words, words].

    Attention to a word is the sum over its subwords, attention from a word the mean over them (Clark et al. 2019,
    section 4.1). Rows are the words that attend. Attention to special tokens is left out, so that rows sum to less
    than 1.

    Args:
        model: an encoder with attention.
        tokens: the tokens of each sentence.
        lengths: the number of words of each sentence.
        step: advanced by 1 with each sentence.
    """
    reads = activations(model, tokens, Taps(read=(ATTENTION,)), batch_tokens=_BATCH_TOKENS)
    for read, words in zip(reads, lengths, strict=True):
        attention = np.concatenate(by_layer(read.values, ATTENTION))
        groups = words_and_others(read.tokens.words.astype(np.int64), words)
        yield attention_between_groups(attention, *groups)[:, :words, :words]
        step.advance(1)
