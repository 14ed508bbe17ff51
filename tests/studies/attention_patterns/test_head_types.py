"""Types of heads by the published thresholds."""

import numpy as np

from wordworth.studies.attention_patterns.head_attention_sums import MEASURES, HeadSums
from wordworth.studies.attention_patterns.head_types import (
    BROAD,
    TYPES,
    head_types,
    layer_interval,
    type_counts,
    type_intervals,
    types_of,
)


def test_the_published_thresholds():
    means = {"previous": np.array([0.51, 0.5, 0, 0, 0]), "next": np.array([0, 0, 0.6, 0, 0]),
             "special": np.array([0.4, 0, 0, 0.61, 0])}  # fmt: skip
    found = head_types(means, np.array([0, 0, 0, 0, BROAD + 0.01]))
    assert [(*TYPES, "other")[kind] for kind in found] == ["previous", "other", "next", "special", "broad"]
    assert type_counts(found).tolist() == [1, 1, 1, 1, 1]


HEADS = ((0, 0), (0, 1), (1, 0), (1, 1))


def sums(rng):
    counts = np.full((40, len(MEASURES)), 10.0)
    values = np.zeros((40, len(MEASURES), 4))
    values[:, MEASURES.index("special"), 0] = 9
    values[:, MEASURES.index("next"), 1] = 5 + rng.normal(size=40)
    return HeadSums(HEADS, values, counts, np.full(40, 23.0), np.zeros((4, 21)), np.zeros((4, 4)), np.zeros((40, 2)))


def test_a_head_at_the_threshold_makes_the_count_uncertain():
    of = sums(np.random.default_rng(0))
    ends = dict(zip((*TYPES, "other"), type_intervals(of, np.arange(40), 200, 0), strict=True))
    assert (ends["special"].low, ends["special"].high) == (1, 1)
    assert (ends["next"].low, ends["next"].high) == (0, 1)
    assert types_of(of)[0] == TYPES.index("special")


def test_layers_have_intervals_around_their_means():
    of = sums(np.random.default_rng(0))
    first, second = layer_interval(of, "next", np.arange(40), 200, 0)
    assert first.low < of.means["next"][:2].mean() < first.high
    assert (second.low, second.high) == (0, 0)
