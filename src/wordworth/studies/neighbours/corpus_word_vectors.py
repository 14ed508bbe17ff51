"""`WordVectors`: the contextual vector of every word of a corpus, from a layer or from one attention head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.measures.attention_maps import Weights
from wordworth.measures.weighted_sums import Integers
from wordworth.measures.word_level_attention import attention_between_groups, words_and_others
from wordworth.models.activation_taps import Taps
from wordworth.models.activations import TextActivations, activations
from wordworth.models.layer_choice import layer_numbers
from wordworth.models.pooling import pool_words
from wordworth.models.pruning import require_heads
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step
from wordworth.sentence_formatting import join_words
from wordworth.studies.neighbours.tagged_text import TaggedText
from wordworth.text.tokens import Tokens

_BATCH_TOKENS = 2_048
NOT_A_WORD = -1
"""Index in place of a word's where a head attends most to a special token."""


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """All words of a corpus with their vectors.

    Attributes:
        texts: the texts of the corpus.
        text: int64 [words], the index of each word's text.
        position: int64 [words], the index of each word in its text.
        vectors: float32 [words, width], the vectors of the layer or attention head that is studied.
        inputs: float32 [words, width of the model], the vectors of the input layer, which reads no context.
        attended: int64 [words], if the vectors are taken from an attention head: the index in its text of the word that
            each word attends to most, or `NOT_A_WORD`. None if the vectors are taken from a layer.
    """

    texts: tuple[TaggedText, ...]
    text: Integers
    position: Integers
    vectors: Weights
    inputs: Weights
    attended: Integers | None = None

    def __len__(self) -> int:
        return len(self.text)


def word_vectors(
    encoder: TextEncoder, texts: Sequence[TaggedText], layer: int, head: int | None, step: Step | None = None
) -> WordVectors:
    """Return the vectors of every word of the texts; texts longer than the model's window are left out.

    A word's vector is the mean over its tokens.

    Args:
        encoder: the encoder; it must have attention where `head` is not None.
        texts: the texts.
        layer: the layer: 0 for the input layer, from 1 for the others; -1 for the last.
        head: number of an attention head of the layer, from 1, whose output is the vector; None for the layer's states.
        step: progress step, advanced after each text.

    Raises:
        BadInput: there is no such layer or head, or no text is short enough.
    """
    tap, column = _tap(encoder, layer, head)
    tokens = list(_encoded(encoder, texts))
    fits = [index for index, each in enumerate(tokens) if 0 < len(each) <= encoder.max_length]
    if not fits:
        raise BadInput(f"every text has more than {encoder.max_length} tokens", mend="give shorter texts")
    names = ("embedding", tap) if column is None else ("embedding", tap, _attention_of(tap))
    read = activations(encoder.model, [tokens[index] for index in fits], Taps(read=names), batch_tokens=_BATCH_TOKENS)
    vectors, inputs, indices, attended = [], [], [], []
    for number, each in enumerate(read):
        own = each.values[tap] if column is None else each.values[tap][:, column]
        words, of_words = _mean_by_word(own, each.tokens.words)
        vectors.append(of_words)
        inputs.append(_mean_by_word(each.values["embedding"], each.tokens.words)[1])
        indices.append(np.stack([np.full(len(words), number), words]))
        if column is not None:
            attended.append(_most_attended(each, each.values[_attention_of(tap)][column], words))
        if step is not None:
            step.advance(1)
    text, position = np.concatenate(indices, axis=1).astype(np.int64)
    return WordVectors(
        tuple(texts[index] for index in fits),
        text,
        position,
        np.concatenate(vectors),
        np.concatenate(inputs),
        np.concatenate(attended) if attended else None,
    )


def _encoded(encoder: TextEncoder, texts: Sequence[TaggedText]) -> Iterator[Tokens]:
    if any(text.text is None for text in texts):
        return iter(encoder.tokenizer.encode_words([text.words for text in texts]))
    return iter(encoder.tokenizer.encode([text.text or "" for text in texts]))


def _attention_of(tap: str) -> str:
    """Return the tap of the attention weights from which the heads' outputs at another tap were computed.

    A tap is the name of an inner value of the network, such as `layers.0.output`.
    """
    return tap.removesuffix("heads") + "probabilities"


def _most_attended(read: TextActivations, attention: Weights, words: Integers) -> Integers:
    """Return the index of the word that each word of a text attends to most, or `NOT_A_WORD`, int64 [words].

    Attention to a word is the sum over its tokens, attention from a word the mean over them.

    Args:
        read: the tokens of the text, with the inner values that the network computed for them.
        attention: float32 [tokens, tokens], the attention weights of one head.
        words: int64 [words], indices (in the text) of the words that have tokens.
    """
    number = int(words[-1]) + 1 if len(words) else 0
    groups = words_and_others(read.tokens.words.astype(np.int64), number)
    most = attention_between_groups(attention[None], *groups)[0, words].argmax(1).astype(np.int64)
    return np.where(most < number, most, NOT_A_WORD)


def _tap(encoder: TextEncoder, layer: int, head: int | None) -> tuple[str, int | None]:
    """Return the tap of the vectors, and the index of the head among the heads that its layer still has.

    A tap is the name of an inner value of the network, such as `layers.0.output`. The index is None if the vectors are
    the states of the layer.
    """
    [number] = layer_numbers(layer, encoder.depth)
    if head is not None:
        return f"layers.{number - 1}.attention.heads", _column(encoder, number, head)
    if number == encoder.depth and "final_norm" in encoder.model.tap_names():
        return "final_norm", None
    return "embedding" if number == 0 else f"layers.{number - 1}.output", None


def _column(encoder: TextEncoder, layer: int, head: int) -> int:
    """Return the index of a head among those that its layer still has.

    Raises:
        BadInput: the layer has no such head, or the head was pruned.
    """
    config = require_heads(encoder.model, encoder.name).config
    kept = config.kept_heads(layer - 1) if layer else []
    if head - 1 in kept:
        return kept.index(head - 1)
    if layer and head <= config.num_heads:
        left = join_words([str(each + 1) for each in kept])
        raise BadInput(f"head {head} of layer {layer} was removed from this model", mend=f"the layer has {left}")
    what = f"there is no head {head} in layer {layer}"
    raise BadInput(what, mend=f"give a head from 1 to {config.num_heads} of a layer from 1 to {encoder.depth}")


def _mean_by_word(values: Weights, words: NDArray[np.int32]) -> tuple[Integers, Weights]:
    """Return the indices of the words that have tokens, int64 [n], and the mean vector of each word, [n, width].

    Args:
        values: the vectors of the tokens, float32 [tokens, width].
        words: the index of each token's word in the text, int32 [tokens]; negative outside words.
    """
    present = np.unique(words[words >= 0]).astype(np.int64)
    number = int(present[-1]) + 1 if len(present) else 0
    pooled = pool_words(torch.from_numpy(values), torch.from_numpy(words), number, "mean")
    return present, pooled.numpy()[present]
