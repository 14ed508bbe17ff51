"""Squared distances of embeddings are distances in the tree; unsquared ones cannot be; random branches nearly are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from wordworth.measures.tree_embeddings import (
    pythagorean,
    random_branches,
    squared_distances,
    tree_depths,
    tree_distances,
)


@st.composite
def trees(draw, most=20):
    """Heads of a random tree, the root's below 0, in any order of words."""
    words = draw(st.integers(1, most))
    order = draw(st.permutations(range(words)))
    heads = np.full(words, -1)
    for place in range(1, words):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    return heads


def walked(heads):
    """Distances by following edges from word to word."""
    words = len(heads)
    distances = np.full((words, words), words)
    np.fill_diagonal(distances, 0)
    for word, head in enumerate(heads):
        if head >= 0:
            distances[word, head] = distances[head, word] = 1
    for middle in range(words):
        distances = np.minimum(distances, distances[:, [middle]] + distances[[middle]])
    return distances


@given(trees())
def test_distances_and_depths_are_edges_walked(heads):
    distances = walked(heads)
    assert np.array_equal(tree_distances(heads), distances)
    assert np.array_equal(tree_depths(heads), distances[int(np.flatnonzero(heads < 0)[0])])


@given(trees(), st.integers(0, 2**32 - 1))
def test_a_pythagorean_embedding_has_the_distances_of_the_tree_however_it_is_turned(heads, seed):
    vectors = pythagorean(heads)
    assert vectors.shape == (len(heads), len(heads) - 1)
    assert squared_distances(vectors) == pytest.approx(walked(heads), abs=1e-9)
    assert np.square(vectors).sum(1) == pytest.approx(tree_depths(heads))  # the root is at 0
    turned = np.linalg.qr(np.random.default_rng(seed).normal(size=(len(heads) - 1,) * 2))[0]
    assert squared_distances(vectors @ turned) == pytest.approx(walked(heads), abs=1e-9)


def test_a_star_with_three_leaves_has_no_embedding_whose_lengths_are_not_squared():
    distances = tree_distances(np.array([-1, 0, 0, 0]))
    first, second = np.triu_indices(4, 1)

    def stress(flat):
        points = flat.reshape(4, 3)
        return np.square(np.linalg.norm(points[first] - points[second], axis=1) - distances[first, second]).sum()

    rng = np.random.default_rng(0)
    assert min(minimize(stress, rng.normal(size=12)).fun for _ in range(10)) > 0.05


def test_the_error_of_random_branches_falls_as_the_root_of_the_width():
    rng, errors = np.random.default_rng(0), []
    heads = np.array([-1, 0, 0, 1, 1, 2, 2, 3, 5, 5])
    for width in (64, 256, 1024, 4096):
        draws = [squared_distances(random_branches(heads, width, rng)) - tree_distances(heads) for _ in range(40)]
        errors.append(np.sqrt(np.square(draws).mean()))
    slope = np.polyfit(np.log([64, 256, 1024, 4096]), np.log(errors), 1)[0]
    assert slope == pytest.approx(-0.5, abs=0.06)
