"""Categories found again."""

import numpy as np
import pytest

from wordworth.measures.words.categories import CLUSTERINGS, PARTS, clustering, clusterings, part_purities, purity

TRUTH = np.array([0, 0, 0, 1, 1, 2])


@pytest.mark.parametrize(
    ("clusters", "share"), [([0, 0, 1, 1, 1, 1], 4 / 6), ([0] * 6, 3 / 6), ([0, 1, 2, 3, 4, 5], 1)]
)
def test_purity_is_the_share_of_each_clusters_largest_category(clusters, share):
    assert purity(np.array(clusters), TRUTH) == pytest.approx(share)


def test_six_clusterings_find_categories_that_lie_apart_and_the_same_seed_the_same_ones():
    truth = np.repeat(np.arange(3), 6)
    vectors = np.eye(8)[truth] + np.random.default_rng(0).normal(scale=0.05, size=(18, 8))
    first, again = clusterings(vectors, 3, 5), clusterings(vectors, 3, 5)
    assert len(first) == 6
    for name, found in first.items():
        assert purity(found, truth) == 1, name
        assert found.tolist() == again[name].tolist()


@pytest.mark.parametrize("name", CLUSTERINGS)
def test_words_that_share_one_vector_fall_into_one_cluster_without_a_warning(name):
    vectors = np.array([[1.0, 0], [0, 1], *[[0.6, 0.8]] * 8])
    found = clustering(name, vectors, 5, 0)
    assert len(set(found[2:].tolist())) == 1
    assert len(set(found.tolist())) == 3


def test_the_spread_of_parts_is_that_of_new_words():
    """Sets of words drawn from one truth: how purities of whole sets differ, and what the parts of each set say."""
    rng, centres = np.random.default_rng(0), np.random.default_rng(1).normal(size=(6, 20)) / np.sqrt(20)
    points, told = [], []
    for seed in range(40):
        truth = rng.integers(6, size=80)
        vectors, name = centres[truth] + rng.normal(scale=0.25, size=(80, 20)), "average, cosine"
        points.append(purity(clustering(name, vectors, 6, 0), truth))
        parts, scale = part_purities((name,), vectors, truth, seed)
        assert parts[name].shape == (PARTS,)
        told.append(scale * parts[name].std(ddof=1))
    assert 0.7 < np.mean(told) / np.std(points) < 1.5
