"""Measure how many milliseconds a text takes if an encoder stops at each layer."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step

ROUNDS = 5
"""Number of rounds; in each, every depth is timed once."""
_TEXTS = 32


def milliseconds_by_depth(encoder: TextEncoder, texts: Sequence[str], step: Step) -> list[float]:
    """Return the milliseconds per text that an encoder needs up to each layer, on one thread.

    Each value is the median over `ROUNDS` rounds.

    Args:
        encoder: the encoder.
        texts: the texts; the first 32 are encoded, in one batch.
        step: advanced by 1 with each round.

    Returns:
        A value for each layer, the input layer first.
    """
    read, depths = list(texts[:_TEXTS]), range(encoder.depth + 1)
    seconds = np.zeros((ROUNDS, len(depths)))
    with ONE_THREAD.limit():
        encoder.pooled_layers(read)  # the first call is slower
        for number in range(ROUNDS):
            for depth in depths:
                began = time.perf_counter()
                encoder.pooled_layers(read, layers=depth)
                seconds[number, depth] = time.perf_counter() - began
            step.advance(1)
    return [float(each) for each in 1_000 * np.median(seconds, 0) / len(read)]
