"""Edges, roots and rank correlations are counted as Hewitt and Manning count them."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr
from tests.measures.test_tree_embeddings import trees

from wordworth.measures.tree_embeddings import pythagorean, squared_distances, tree_depths, tree_distances
from wordworth.measures.tree_recovery import (
    Tree,
    depth_spearman,
    distance_spearman,
    is_root_found,
    length_mean,
    right_edges,
    spanning_edges,
)


def tree_of(heads, is_counted=None):
    flags = np.ones(len(heads), bool) if is_counted is None else np.array(is_counted, bool)
    return Tree(tree_distances(heads), tree_depths(heads), flags)


def kruskal(distances, is_counted):
    """The edges as the published script makes them: all pairs in a stable order, joined where they are apart."""
    group, edges = list(range(len(distances))), set()
    pairs = [
        (i, j)
        for i in range(len(distances))
        for j in range(len(distances))
        if i != j and is_counted[i] and is_counted[j]
    ]
    for i, j in sorted(pairs, key=lambda pair: distances[pair]):
        if group[i] != group[j]:
            group = [group[i] if each == group[j] else each for each in group]
            edges.add((min(i, j), max(i, j)))
    return edges


@given(trees(12), st.integers(0, 2**32 - 1), st.booleans())
def test_spanning_trees_are_those_of_the_published_script_with_ties_too(heads, seed, ties):
    rng = np.random.default_rng(seed)
    distances = rng.integers(3, size=(len(heads),) * 2) if ties else rng.random((len(heads),) * 2)
    distances = (distances + distances.T).astype(float)
    is_counted = rng.random(len(heads)) < 0.8
    assert spanning_edges(distances, is_counted) == kruskal(distances, is_counted)
    tree = tree_of(heads, is_counted)
    gold = kruskal(tree.distances, is_counted)
    assert right_edges(tree, distances) == (len(gold & kruskal(distances, is_counted)), len(gold))


def test_what_is_predicted_right_scores_1():
    heads = np.array([1, -1, 4, 4, 1, 4])
    tree, vectors = tree_of(heads), pythagorean(heads)
    assert right_edges(tree, squared_distances(vectors)) == (5, 5)
    assert distance_spearman(tree, squared_distances(vectors)) == pytest.approx(1)
    assert depth_spearman(tree, np.square(vectors).sum(1)) == pytest.approx(1)
    assert is_root_found(tree, np.square(vectors).sum(1))


def test_without_punctuation_the_spanning_tree_is_another():
    heads = np.array([-1, 0, 1])  # a - comma - b: without the comma, a and b are joined
    every, without = tree_of(heads), tree_of(heads, [True, False, True])
    assert spanning_edges(every.distances.astype(float), every.is_counted) == {(0, 1), (1, 2)}
    assert spanning_edges(without.distances.astype(float), without.is_counted) == {(0, 2)}
    assert is_root_found(without, np.array([1.0, 0.0, 2.0]))
    assert not is_root_found(every, np.array([1.0, 0.0, 2.0]))
    assert is_root_found(tree_of(heads, [False] * 3), np.array([0.0, 1.0, 2.0]))


@given(trees(15), st.integers(0, 2**32 - 1))
def test_rank_correlations_are_those_of_scipy_with_ties(heads, seed):
    rng, tree = np.random.default_rng(seed), tree_of(heads)
    if len(heads) < 3:
        return
    distances, depths = rng.integers(6, size=(len(heads),) * 2) + np.eye(len(heads)), rng.random(len(heads))
    rows = [spearmanr(gold, row) for gold, row in zip(tree.distances, distances, strict=True) if np.ptp(row)]
    if len(rows) == len(heads):
        expected = np.mean([row.statistic for row in rows])
        assert distance_spearman(tree, distances) == pytest.approx(expected, abs=1e-12)
    expected = spearmanr(tree.depths, depths).statistic
    assert depth_spearman(tree, depths) == pytest.approx(expected, abs=1e-12)


def test_predictions_that_do_not_vary_have_no_correlation():
    assert distance_spearman(tree_of(np.array([-1, 0, 1])), np.zeros((3, 3))) == 0


def test_means_are_over_lengths_from_5_to_50_and_not_over_sentences():
    rng = np.random.default_rng(0)
    lengths, values = rng.integers(1, 60, 200), rng.random((200, 2))
    by_length = defaultdict(list)
    for length, value in zip(lengths, values, strict=True):
        by_length[length].append(value)
    expected = np.mean([np.mean(by_length[length], axis=0) for length in range(5, 51) if length in by_length], axis=0)
    assert length_mean(values, lengths, np.ones((1, 200)))[0] == pytest.approx(expected)
    twice = rng.integers(0, 3, 200)
    repeated = length_mean(np.repeat(values, twice, 0), np.repeat(lengths, twice), np.ones((1, twice.sum())))
    assert length_mean(values, lengths, twice[None].astype(float)) == pytest.approx(repeated)
    assert np.isnan(length_mean(values[:1], np.array([3]), np.ones((1, 1)))).all()
