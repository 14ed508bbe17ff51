"""Inputs of the dependency probes: attention between words, and between words and the root; static vectors of words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import torch
from numpy.typing import NDArray

from wordworth.measures.weighted_sums import Integers
from wordworth.measures.word_level_attention import attention_between_groups
from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.models.activations import activations
from wordworth.models.encoder_base import Encoder
from wordworth.models.lm_heads import word_table
from wordworth.models.pooling import pool_words
from wordworth.progress import Step
from wordworth.studies.treebank_sample import is_counted
from wordworth.text.tokens import Tokens
from wordworth.text.treebank import ROOT, DependencySentence
from wordworth.training.probes.scratch_array import scratch_array
from wordworth.training.probes.word_pairs import ProbedSentence, pairs_of

_BATCH_TOKENS = 1_024
_ROWS_AT_ONCE, _STILL = 4_096, 1e-6


@dataclass(frozen=True, slots=True)
class ProbedSentences:
    """Sentences whose attention was computed once and stored, so that probes can be trained on it in many passes.

    Attributes:
        sentences: the inputs of the probes for each sentence; attention maps, float16, are in memory or a temporary
            file.
        scale: float32 [maps], for each map (an attention head in one direction) 1 divided by the standard deviation of
            the map's weights over the word pairs of all sentences; 0 for a constant map.
    """

    sentences: tuple[ProbedSentence, ...]
    scale: NDArray[np.float32]

    @classmethod
    def of(cls, sentences: Iterator[ProbedSentence], lengths: Sequence[int]) -> ProbedSentences:
        """Store the inputs of dependency probes, sentence by sentence.

        Args:
            sentences: yields the inputs of each sentence as soon as they are computed; at least one sentence.
            lengths: number of words of each sentence.
        """
        ends, first = np.cumsum(np.square(lengths)), next(sentences)
        flat, kept = scratch_array((int(ends[-1]), first.maps.shape[1])), list[ProbedSentence]()
        for each, end in zip(chain([first], sentences), ends, strict=True):
            part = flat[end - len(each.maps) : end]
            part[:] = each.maps
            kept.append(replace(each, maps=part))
        return cls(tuple(kept), _scale(flat))


def _scale(flat: NDArray[np.float16]) -> NDArray[np.float32]:
    """Return 1 divided by the standard deviation of each column of [pairs, maps]; 0 for a constant column."""
    moments = np.zeros((2, flat.shape[1]))
    for start in range(0, len(flat), _ROWS_AT_ONCE):
        part = flat[start : start + _ROWS_AT_ONCE].astype(np.float64)
        moments += part.sum(0), np.square(part).sum(0)
    mean, square = moments / len(flat)
    deviation = np.sqrt(np.maximum(square - mean**2, 0))
    return np.where(deviation > _STILL, 1 / np.maximum(deviation, _STILL), 0).astype(np.float32)


@dataclass(frozen=True, slots=True)
class ProbeInputs:
    """The sentences on which dependency probes are trained and tested, with static vectors of their words.

    Attention is not stored here: `read` and `keep` compute it.

    Attributes:
        tokens: the tokens of each sentence.
        sentences: the sentences with their trees.
        vectors: for each sentence the static vectors of its words, float32 [words, width].
    """

    tokens: Sequence[Tokens]
    sentences: Sequence[DependencySentence]
    vectors: Sequence[NDArray[np.float32]]

    @classmethod
    def of(cls, model: Encoder, tokens: Sequence[Tokens], sentences: Sequence[DependencySentence]) -> ProbeInputs:
        """Compute the static vectors of the words of all sentences, as inputs of dependency probes.

        Args:
            model: the encoder; a word's static vector is the mean of the input embeddings of its tokens.
            tokens: the tokens of each sentence.
            sentences: the sentences with their trees.

        Raises:
            BadInput: the model has no token embedding matrix.
        """
        return cls(tokens, sentences, static_vectors(model, tokens, sentences))

    @property
    def width(self) -> int:
        """The number of components of the static word vectors."""
        return int(self.vectors[0].shape[1])

    def read(self, model: Encoder, rows: Integers, step: Step) -> Iterator[ProbedSentence]:
        """Yield the inputs of the dependency probes, attention and static vectors, for some sentences one by one.

        Args:
            model: an encoder with attention.
            rows: int64 [sentences], indices of the sentences.
            step: progress step, advanced after each sentence.
        """
        taps = Taps(read=(ATTENTION,))
        for read in activations(model, [self.tokens[row] for row in rows], taps, batch_tokens=_BATCH_TOKENS):
            row = rows[read.text]
            sentence = self.sentences[row]
            attention = np.concatenate(by_layer(read.values, ATTENTION))
            yield ProbedSentence(
                pair_maps(attention, read.tokens.words.astype(np.int64), len(sentence)),
                self.vectors[row],
                heads_or_end(sentence),
                is_counted(sentence),
            )
            step.advance(1)

    def keep(self, model: Encoder, rows: Integers, step: Step) -> ProbedSentences:
        """Compute the inputs of the dependency probes for some sentences, and return them stored for many passes.

        Args:
            model: an encoder with attention.
            rows: int64 [sentences], indices of the sentences, at least one.
            step: progress step, advanced after each sentence.
        """
        return ProbedSentences.of(self.read(model, rows, step), [len(self.sentences[row]) for row in rows])


def heads_or_end(sentence: DependencySentence) -> Integers:
    """Return the index of each word's syntactic head, int64 [words]; for the root it is the number of words."""
    return np.where(sentence.heads == ROOT, len(sentence), sentence.heads)


def pair_maps(attention: NDArray[np.float32], words_of: Integers, words: int) -> NDArray[np.float16]:
    """Return the attention between each word and each candidate for its syntactic head, float16 [words², 2 * heads].

    The first columns are the attention from the word to the candidate in each attention head, the others the attention
    from the candidate to the word. All special tokens together stand for the root; without special tokens its attention
    is 0.

    Args:
        attention: float32 [heads, tokens, tokens], a row for each token that attends.
        words_of: int64 [tokens], the index of each token's word; -1 for special tokens.
        words: number of words.
    """
    grouped = attention_between_groups(attention, np.where(words_of < 0, words, words_of), words + 1)
    dependents, candidates = pairs_of(words)
    both = [grouped[:, dependents, candidates], grouped[:, candidates, dependents]]
    maps: NDArray[np.float16] = np.concatenate(both).T.astype(np.float16)
    return maps


def static_vectors(
    model: Encoder, tokens: Sequence[Tokens], sentences: Sequence[DependencySentence]
) -> list[NDArray[np.float32]]:
    """Return static vectors of the words of each sentence, float32 [words, width].

    A word's vector is the mean of the model's input embeddings of its tokens. All vectors are divided by the same
    number, so that their mean square is 1.

    Args:
        model: the encoder.
        tokens: the tokens of each sentence.
        sentences: the sentences with their words.

    Raises:
        BadInput: the model has no token embedding matrix.
    """
    table = word_table(model).detach()
    vectors = []
    for read, sentence in zip(tokens, sentences, strict=True):
        ids, words = (torch.from_numpy(part.astype(np.int64)) for part in (read.ids, read.words))
        vectors.append(pool_words(table[ids].cpu(), words, len(sentence), "mean").numpy())
    size = float(np.sqrt(np.mean([np.square(each).mean() for each in vectors])))
    return [np.asarray(each / max(size, _STILL), np.float32) for each in vectors]
