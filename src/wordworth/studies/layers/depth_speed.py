"""Milliseconds a text of an encoder that stops at a layer, on one thread."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Step

ROUNDS = 5
"""Rounds in which depths take turns."""
_TEXTS = 32


def milliseconds_by_depth(encoder: TextEncoder, texts: Sequence[str], step: Step) -> list[float]:
    """Return the milliseconds that a text takes up to each layer, the median over rounds in which depths take turns.

    Args:
        encoder: the encoder.
        texts: of which the first 32 are read, in one batch.
        step: advanced by each of the `ROUNDS`.
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
