"""Categories found again."""

import numpy as np
import pytest

from wordworth.measures.words.categories import clusterings, purity

TRUTH = np.array([0, 0, 0, 1, 1, 2])


@pytest.mark.parametrize(
    ("clusters", "share"), [([0, 0, 1, 1, 1, 1], 4 / 6), ([0] * 6, 3 / 6), ([0, 1, 2, 3, 4, 5], 1)]
)
def test_purity_is_the_share_of_each_clusters_largest_category(clusters, share):  # G19
    assert purity(np.array(clusters), TRUTH, np.ones((1, 6))) == pytest.approx([share])


def test_weights_are_repeats_of_words():
    weights = np.array([[2.0, 0, 1, 3, 0, 1]])
    repeated = np.repeat(np.arange(6), weights[0].astype(int))
    clusters = np.array([0, 0, 1, 1, 1, 0])
    plain = purity(clusters[repeated], TRUTH[repeated], np.ones((1, len(repeated))))
    assert purity(clusters, TRUTH, weights) == pytest.approx(plain)


def test_six_clusterings_find_categories_that_lie_apart_and_the_same_seed_the_same_ones():
    truth = np.repeat(np.arange(3), 6)
    vectors = np.eye(8)[truth] + np.random.default_rng(0).normal(scale=0.05, size=(18, 8))
    first, again = clusterings(vectors, 3, 5), clusterings(vectors, 3, 5)
    assert len(first) == 6
    for name, found in first.items():
        assert purity(found, truth, np.ones((1, 18)))[0] == 1, name
        assert found.tolist() == again[name].tolist()
