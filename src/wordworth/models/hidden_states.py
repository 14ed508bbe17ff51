"""`States`: a model's hidden states for each word of texts, pooled from the states of the word's pieces.

The pooling runs while the states of pieces are computed, so that the states of a book's pieces are never all in memory.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordworth.errors import BadInput, NotEnoughMemory
from wordworth.models.batched_inference import BatchedReader, Floats
from wordworth.models.length_batching import LengthReport
from wordworth.models.pooling import WordPooling, pool_words, word_shares
from wordworth.text.tokens import Tokens
from wordworth.text.windows import Plan
from wordworth.text.word_boundaries import Span


@dataclass(frozen=True, slots=True)
class EmbeddingResult:
    """Vectors of n texts, float32 [n, d], and a report on the texts longer than the encoder reads at once."""

    vectors: Floats
    lengths: LengthReport


@dataclass(frozen=True, slots=True)
class States:
    """Hidden states of w words in some layers of one model.

    Attributes:
        values: float32 [layers, w, d]; a word without pieces (a control character) is all zeros.
        layers: number of each layer in `values`; 0 is the input layer.
        words: the words as written, all texts concatenated.
        spans: int32 [w, 2], start and end character of each word in its text.
        sentences: int64 [w], index of the text (or pretokenized sentence) that each word belongs to.
        pieces: int64 [w], number of pieces from whose states each word's state was pooled.
        lengths: report on texts longer than the model reads at once.
    """

    values: NDArray[np.float32]
    layers: tuple[int, ...]
    words: tuple[str, ...]
    spans: NDArray[np.int32]
    sentences: NDArray[np.int64]
    pieces: NDArray[np.int64]
    lengths: LengthReport

    @classmethod
    def of(
        cls,
        values: NDArray[np.float32],
        layers: tuple[int, ...],
        words: Sequence[Sequence[str]],
        spans: Sequence[Sequence[Span]],
        tokens: Sequence[Tokens],
        lengths: LengthReport,
    ) -> States:
        """Return the states of the words of texts.

        Args:
            values: float32 [layers, words of all texts, d].
            layers: number of each layer in `values`.
            words: the words of each text.
            spans: start and end character of each word, for each text.
            tokens: the tokens of each text.
            lengths: report on texts longer than the model reads at once.
        """
        return cls(
            values=values,
            layers=layers,
            words=tuple(word for sentence in words for word in sentence),
            spans=np.array([span for sentence in spans for span in sentence], np.int32).reshape(-1, 2),
            sentences=np.repeat(np.arange(len(words)), [len(sentence) for sentence in words]),
            pieces=np.concatenate([np.zeros(0, np.int64), *map(pieces_of_words, tokens, words)]),
            lengths=lengths,
        )

    def __len__(self) -> int:
        return len(self.words)

    def __repr__(self) -> str:
        return f"<States: {len(self):,} words in {len(self.layers)} layers, {self.values.shape[-1]} wide>"

    def layer(self, number: int) -> NDArray[np.float32]:
        """Return the states of all words in one layer, float32 [words, d].

        Args:
            number: number of the layer.

        Raises:
            LookupError: the layer is not among `layers`.
        """
        if number not in self.layers:
            raise LookupError(f"layer {number} is not among {self.layers}")
        values: NDArray[np.float32] = self.values[self.layers.index(number)]
        return values


_MOST_SHARE = 0.8
"""Largest share of the machine's memory that states may take."""


def room_for_states(words: int, layers: int, width: int) -> Floats:
    """Return zeros, float32 [words, layers, width], to be filled with states.

    Args:
        words: number of words.
        layers: number of layers, the input layer included.
        width: width of a state.

    Raises:
        NotEnoughMemory: the states would take more memory than this machine has; the message says how much.
    """
    needed, available = words * layers * width * np.dtype(np.float32).itemsize, _memory()
    if needed > _MOST_SHARE * available:
        what = f"states of {words:,} words under {layers} layers take {needed / 1e9:,.1f} GB"
        raise NotEnoughMemory(f"{what}, of {available / 1e9:,.1f} GB here", mend="give fewer texts or layers at once")
    return np.zeros((words, layers, width), np.float32)


def pool_into(
    rows: Sequence[Floats], reading: BatchedReader, sequences: Sequence[Tokens], plan: Plan, mode: WordPooling
) -> None:
    """Compute the states of the pieces of each sequence, and write the pooled state of each word into `rows`.

    Args:
        rows: the output, an array of zeros [words, ..., d] per sequence.
        reading: computes the states of pieces.
        sequences: the tokens of each sequence.
        plan: the windows of each sequence.
        mode: how a word's pieces become one state: `first` piece, `last` piece, or `mean`.
    """
    for index, positions, states in reading.parts(sequences, plan):
        words = torch.from_numpy(sequences[index].words).to(states.device)
        if positions is None:
            rows[index][:] = pool_words(states, words, len(rows[index]), mode).numpy(force=True)
        else:
            shares = word_shares(words, len(rows[index]), mode)
            _add(rows[index], states, words[positions], shares[positions])


def _add(rows: Floats, states: Tensor, words: Tensor, shares: Tensor) -> None:
    """Add the weighted states of some pieces of a sequence to the states of its words, in place.

    Args:
        rows: [words, ..., d], the states of the sequence's words.
        states: [pieces, ..., d].
        words: int [pieces], the index of each piece's word; -1 for a piece of no word.
        shares: float32 [pieces], the weight of each piece in its word's state.
    """
    inner = words >= 0
    states, words, shares = states[inner].float(), words[inner].long(), shares[inner]
    if not len(words):
        return
    first, last = int(words.min()), int(words.max())
    part = states.new_zeros(last - first + 1, *states.shape[1:])
    part.index_add_(0, words - first, states * shares.view(-1, *[1] * (states.dim() - 1)))
    rows[first : last + 1] += part.numpy(force=True)


def _memory() -> float:
    """Return the size of this machine's memory in bytes; infinity if the system does not report the size."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else float("inf")


def pieces_as_words(tokens: Tokens) -> Tokens:
    """Return a copy of the tokens in which every piece is a word of its own; special tokens belong to no word."""
    is_inner = tokens.words >= 0
    return replace(tokens, words=np.where(is_inner, np.cumsum(is_inner) - 1, -1))


def pieces_of_words(tokens: Tokens, words: Sequence[str]) -> np.ndarray:
    """Return the number of pieces of each word of one text, int64 [words]."""
    return np.bincount(tokens.words[tokens.words >= 0], minlength=len(words))


def require_finite(values: Floats, name: str) -> Floats:
    """Return values that an encoder computed, after checking that all are finite.

    Args:
        values: float32 of any shape.
        name: name of the encoder, for the error message.

    Returns:
        `values`.

    Raises:
        BadInput: a value is NaN or infinite.
    """
    if not np.isfinite(values).all():
        what = f"{name} gives vectors with NaN or infinity"
        raise BadInput(what, mend="wordworth doctor, given the same model, says which weights are at fault")
    return values
