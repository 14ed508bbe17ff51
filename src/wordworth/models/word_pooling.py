"""States of words, put together as those of their pieces come: a book's pieces are never held together."""

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
"""Of the machine's memory."""


def room_for_states(words: int, layers: int, width: int) -> Floats:
    """float32 [words, layers, width] of zeros.

    Raises:
        NotEnoughMemory: they would take more than this machine can give; says how much.
    """
    needed, there = words * layers * width * np.dtype(np.float32).itemsize, _memory()
    if needed > _MOST_SHARE * there:
        what = f"states of {words:,} words under {layers} layers take {needed / 1e9:,.1f} GB"
        raise NotEnoughMemory(f"{what}, of {there / 1e9:,.1f} GB here", mend="give fewer texts or layers at once")
    return np.zeros((words, layers, width), np.float32)


def pool_into(
    rows: Sequence[Floats], reading: BatchedReader, sequences: Sequence[Tokens], plan: Plan, mode: WordPooling
) -> None:
    """Write the states of the words of each sequence.

    Args:
        rows: where to, an array of zeros [words, ..., d] a sequence.
        reading: how pieces are read.
        sequences: their pieces.
        plan: their windows.
        mode: how a word's pieces become one state.
    """
    for number, places, states in reading.parts(sequences, plan):
        words = torch.from_numpy(sequences[number].words).to(states.device)
        if places is None:
            rows[number][:] = pool_words(states, words, len(rows[number]), mode).numpy(force=True)
        else:
            shares = word_shares(words, len(rows[number]), mode)
            _add(rows[number], states, words[places], shares[places])


def _add(rows: Floats, states: Tensor, words: Tensor, shares: Tensor) -> None:
    """Add what some pieces of a sequence bring to its words."""
    inner = words >= 0
    states, words, shares = states[inner].float(), words[inner].long(), shares[inner]
    if not len(words):
        return
    first, last = int(words.min()), int(words.max())
    part = states.new_zeros(last - first + 1, *states.shape[1:])
    part.index_add_(0, words - first, states * shares.view(-1, *[1] * (states.dim() - 1)))
    rows[first : last + 1] += part.numpy(force=True)


def _memory() -> float:
    """Bytes of this machine's memory; without end where the system does not say."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else float("inf")
