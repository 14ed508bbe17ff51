"""Bootstrap of official scores: the split is resampled, examples of one group together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.measures.bootstrap import item_weights
from wordworth.measures.weighted_sums import Floats
from wordworth.studies.evaluate.official_scores import OfficialScore

_MOST_CELLS = 4_000_000
"""Weights held at once: 32 MB."""


def bootstrap_weights(
    lines: Sequence[OfficialScore], group: NDArray[np.int64], count: int, seed: int
) -> dict[str, Floats]:
    """Score every line on each resampled split.

    Args:
        lines: the scores to resample; those that cannot be resampled are left out of the result.
        group: int64 [items], the group of each item; items of a group are drawn together.
        count: the number of resampled splits.
        seed: of the resampling.

    Returns:
        Name of the line -> its score in each resampled split, float64 [count].
    """
    resamplable = [(line.name, line.resampled) for line in lines if line.resampled is not None]
    scores: dict[str, list[Floats]] = {name: [] for name, _ in resamplable}
    for weights in _weights(group, count, seed):
        for name, resampled in resamplable:
            scores[name].append(resampled(weights))
    return {name: np.concatenate(parts) for name, parts in scores.items()}


def _weights(group: NDArray[np.int64], count: int, seed: int) -> Iterator[Floats]:
    """Yield the weights of `count` draws, float64 [draws, items], few enough at a time to fit in memory."""
    at_once = max(1, min(count, _MOST_CELLS // len(group)))
    for start in range(0, count, at_once):
        size = min(at_once, count - start)
        yield item_weights(len(group), size, seeds.child(seed, "bootstrap", start), group)
