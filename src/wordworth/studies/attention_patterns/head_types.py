"""Classification of attention heads into types by the thresholds of Clark et al. (2019), with intervals over texts."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import numpy as np
from numpy.typing import NDArray

from wordworth.measures.bootstrap import Interval, interval, share_draws
from wordworth.measures.weighted_sums import Floats, Integers
from wordworth.studies.attention_patterns.head_attention_sums import MEASURES, HeadSums, layer_means

TYPES = ("previous", "next", "special", "broad")
"""The types of heads; a head has the first of them that fits, or the type `OTHER`."""
OTHER = "other"
NEIGHBOUR, SPECIAL, BROAD = 0.5, 0.6, 3.8 / log(128)
"""The thresholds of the types: mean attention to the previous or next token, mean attention to special tokens, and
entropy divided by that of uniform attention. The published threshold of 3.8 nats is for segments of 128 tokens."""


def head_types(means: Mapping[str, Floats], relative_entropy: Floats) -> NDArray[np.int64]:
    """Return the type of each attention head as an index into `TYPES`, int64 [..., heads].

    The index `len(TYPES)` stands for `OTHER`.

    Args:
        means: name of a measure -> its mean over tokens, float64 [..., heads]; `previous`, `next` and `special` are
            read.
        relative_entropy: float64 [..., heads], entropy divided by the entropy of uniform attention.
    """
    fits = [means[name] > NEIGHBOUR for name in ("previous", "next")]
    fits += [means["special"] > SPECIAL, relative_entropy > BROAD]
    types: NDArray[np.int64] = np.argmax(np.stack([*fits, np.ones_like(fits[0])]), axis=0)
    return types


def types_of(sums: HeadSums) -> NDArray[np.int64]:
    """Return the type of each head from its summed statistics, int64 [heads]: an index into `TYPES`.

    The index `len(TYPES)` stands for `OTHER`.
    """
    return head_types(sums.means, sums.sums[:, 0].sum(0) / sums.uniform.sum())


def type_counts(types: NDArray[np.int64]) -> Integers:
    """Count the heads of each of `TYPES`, and of type `OTHER` last, int64 [..., types + 1]."""
    return np.stack([(types == kind).sum(-1) for kind in range(len(TYPES) + 1)], axis=-1)


def type_intervals(sums: HeadSums, text: Integers, draws: int, seed: int) -> list[Interval]:
    """Return the 95 % interval, by a bootstrap over texts, of the number of heads of each type, `OTHER` last.

    Args:
        sums: the statistics of all segments.
        text: int64 [segments], a number that identifies the text of each segment.
        draws: number of bootstrap resamples of texts.
        seed: seed of the resamples.
    """
    drawn = {}
    for name in ("previous", "next", "special"):
        column = MEASURES.index(name)
        rng = np.random.default_rng(seed)
        drawn[name] = share_draws(sums.sums[:, column], sums.counts[:, column], text, draws, rng)
    spread = share_draws(sums.sums[:, 0], sums.uniform, text, draws, np.random.default_rng(seed))
    counts = type_counts(head_types(drawn, spread)).astype(np.float64)
    return [interval(column) for column in counts.T]


def layer_interval(sums: HeadSums, measure: str, text: Integers, draws: int, seed: int) -> list[Interval]:
    """Return the 95 % interval, by a bootstrap over texts, of a measure's mean over the heads of each layer.

    Args:
        sums: the statistics of all segments.
        measure: one of `MEASURES`.
        text: int64 [segments], a number that identifies the text of each segment.
        draws: number of bootstrap resamples of texts.
        seed: seed of the resamples.
    """
    column = MEASURES.index(measure)
    by_layer = layer_means(sums.sums[:, column], sums.layers)
    drawn = share_draws(by_layer, sums.counts[:, column], text, draws, np.random.default_rng(seed))
    return [interval(layer) for layer in drawn.T]
