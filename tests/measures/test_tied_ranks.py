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


def test_scores_that_are_all_the_same_rank_nothing_and_count_as_no_correlation():  # G20
    assert rank_correlation([0.5, 0.5, 0.5, 0.5], [1, 2, 3, 4]) == 0
    assert rank_correlation([1, 2, 3, 4], [7, 7, 7, 7]) == 0
