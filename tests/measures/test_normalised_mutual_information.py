"""Normalised mutual information is scikit-learn's, and its null that of permutations."""

import numpy as np
import pytest
from sklearn.metrics import normalized_mutual_info_score

from wordworth.measures.normalised_mutual_information import (
    PERMUTATIONS,
    contingency,
    normalised_mutual_information,
    shared_information,
)

DRAW = np.random.default_rng(0)
FIRST, SECOND = DRAW.integers(5, size=120), DRAW.integers(3, size=120)


def test_pairs_of_classes_are_counted():
    assert contingency(np.array([0, 1, 1]), np.array([2, 0, 0])).tolist() == [[0, 0, 1], [2, 0, 0]]


@pytest.mark.parametrize("second", [SECOND, FIRST, FIRST // 2, (FIRST + (SECOND == 0)) % 5])
def test_it_is_that_of_scikit_learn(second):
    found = normalised_mutual_information(contingency(FIRST, second))
    assert found == pytest.approx(normalized_mutual_info_score(FIRST, second), abs=1e-12)


def test_one_class_shares_nothing():
    assert normalised_mutual_information(np.array([[3, 4]])) == 0


def test_the_null_is_that_of_permutations():
    table = contingency(FIRST, SECOND)
    found = shared_information(table, np.random.default_rng(1))
    permuted = [normalized_mutual_info_score(DRAW.permutation(FIRST), SECOND) for _ in range(300)]
    assert found.chance_mean == pytest.approx(np.mean(permuted), rel=0.15)
    assert found.chance_mean <= found.highest
    assert found.p > 0.05


def test_equal_labellings_share_all_beyond_every_permutation():
    found = shared_information(contingency(FIRST, FIRST), np.random.default_rng(1))
    assert found.value == pytest.approx(1)
    assert found.p == 1 / (PERMUTATIONS + 1)
