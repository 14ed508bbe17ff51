"""Intervals of official scores: the part is drawn again, examples that hang together at once."""

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
    """Line -> its score in each resampled part, float64 [count]; lines without a resampled score are left out."""
    able = [(line.name, line.resampled) for line in lines if line.resampled is not None]
    found: dict[str, list[Floats]] = {name: [] for name, _ in able}
    for weights in _weights(group, count, seed):
        for name, resampled in able:
            found[name].append(resampled(weights))
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _weights(group: NDArray[np.int64], count: int, seed: int) -> Iterator[Floats]:
    """Weights of `count` draws, few enough at a time to fit in memory; the same for every line."""
    at_once = max(1, min(count, _MOST_CELLS // len(group)))
    for start in range(0, count, at_once):
        size = min(at_once, count - start)
        yield item_weights(len(group), size, seeds.child(seed, "bootstrap", start), group)
