"""Pool states of words as those of their pieces are computed, so that a book's pieces are never all in memory."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from wordworth.errors import NotEnoughMemory
from wordworth.models.batched_inference import BatchedReader, Floats
from wordworth.models.pooling import WordPooling, pool_words, word_shares
from wordworth.text.encoding import Tokens
from wordworth.text.windows import Plan

_MOST_SHARE = 0.8
"""Largest share of the machine's memory that states may take."""


def room_for_states(words: int, layers: int, width: int) -> Floats:
    """Allocate float32 [words, layers, width] of zeros.

    Raises:
        NotEnoughMemory: they would take more memory than this machine has; the message says how much.
    """
    needed, available = words * layers * width * np.dtype(np.float32).itemsize, _memory()
    if needed > _MOST_SHARE * available:
        what = f"states of {words:,} words under {layers} layers take {needed / 1e9:,.1f} GB"
        raise NotEnoughMemory(f"{what}, of {available / 1e9:,.1f} GB here", mend="give fewer texts or layers at once")
    return np.zeros((words, layers, width), np.float32)


def pool_into(
    rows: Sequence[Floats], reading: BatchedReader, sequences: Sequence[Tokens], plan: Plan, mode: WordPooling
) -> None:
    """Write the states of the words of each sequence.

    Args:
        rows: the output, an array of zeros [words, ..., d] per sequence.
        reading: computes the states of pieces.
        sequences: their pieces.
        plan: their windows.
        mode: how a word's pieces become one state.
    """
    for index, positions, states in reading.parts(sequences, plan):
        words = torch.from_numpy(sequences[index].words).to(states.device)
        if positions is None:
            rows[index][:] = pool_words(states, words, len(rows[index]), mode).numpy(force=True)
        else:
            shares = word_shares(words, len(rows[index]), mode)
            _add(rows[index], states, words[positions], shares[positions])


def _add(rows: Floats, states: Tensor, words: Tensor, shares: Tensor) -> None:
    """Add the contributions of some pieces of a sequence to its words."""
    inner = words >= 0
    states, words, shares = states[inner].float(), words[inner].long(), shares[inner]
    if not len(words):
        return
    first, last = int(words.min()), int(words.max())
    part = states.new_zeros(last - first + 1, *states.shape[1:])
    part.index_add_(0, words - first, states * shares.view(-1, *[1] * (states.dim() - 1)))
    rows[first : last + 1] += part.numpy(force=True)


def _memory() -> float:
    """Bytes of this machine's memory; infinite if the system does not report it."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else float("inf")
