"""Spearman's correlation where scores tie, as word benchmarks meet it."""

import numpy as np
import pytest

from wordworth.measures.correlation import spearman


def rank_correlation(given, gold):
    return float(spearman(np.array(gold, float), np.array(given, float), np.ones((1, len(gold))))[0])


@pytest.mark.parametrize(
    ("given", "expected"),
    [([1, 2, 2, 3], 0.9486833), ([0.5, 0.5, 0.5, 0.9], 0.7745967)],
)
def test_ties_share_their_rank(given, expected):  # G20
    assert rank_correlation(given, [1, 2, 3, 4]) == pytest.approx(expected, abs=1e-6)
