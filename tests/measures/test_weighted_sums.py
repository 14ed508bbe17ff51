"""Sums over items under many weights at once are those of a loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.weighted_sums import indicator, ratio, stacked, weighted


@given(st.lists(st.integers(0, 3), min_size=1, max_size=20), st.integers(0, 1000))
def test_counts_of_rows_are_those_of_a_loop_over_draws(rows, seed):
    weights = np.random.default_rng(seed).integers(0, 4, (5, len(rows))).astype(float)
    found = weighted(indicator(np.array(rows), 4), weights)
    expected = [[sum(w for row, w in zip(rows, draw, strict=True) if row == r) for draw in weights] for r in range(4)]
    assert found.tolist() == expected


@given(st.integers(1, 20), st.integers(1, 3), st.integers(0, 1000))
def test_the_sums_of_one_resample_are_those_of_sparse_matrices(items, num_statistics, seed):
    rng = np.random.default_rng(seed)
    statistics, weights = rng.normal(size=(num_statistics, items)), rng.integers(0, 4, (1, items)).astype(float)
    assert weighted(statistics, weights) == pytest.approx(weighted(stacked(statistics), weights))
    assert weighted(statistics[0], weights).shape == (1, 1)


def test_statistics_sparse_and_dense_are_stacked_in_order():
    both = stacked(indicator(np.array([0, 1]), 2), np.array([5.0, 7.0]), np.ones((2, 2)))
    assert both.toarray().tolist() == [[1, 0], [0, 1], [5, 7], [1, 1], [1, 1]]


def test_an_indicator_holds_values_where_they_are_given():
    assert indicator(np.array([1, 0]), 2, np.array([0.5, 2.0])).toarray().tolist() == [[0, 2.0], [0.5, 0]]


def test_an_item_may_have_several_entries_and_those_of_one_row_are_added():
    entries, values = np.array([[0, 1], [2, 2]]), np.array([[1.0, 2.0], [3.0, 4.0]])
    assert indicator(entries, 3, values).toarray().tolist() == [[1, 0], [2, 0], [0, 7]]
    assert weighted(indicator(entries, 3, values), np.array([[1.0, 2.0]])).tolist() == [[1], [2], [14]]
    assert indicator(np.zeros((0, 2), int), 3).shape == (3, 0)


def test_a_ratio_of_nothing_is_what_is_said_otherwise():
    found = ratio(np.array([1.0, 3.0]), np.array([2.0, 0.0]), otherwise=-1.0)
    assert found.tolist() == [0.5, -1]
    assert ratio(np.array([1.0]), np.array([0.0])).tolist() == [0]
    assert ratio(np.array([[1.0], [2.0]]), np.array([1.0, 2.0])) == pytest.approx(np.array([[1, 0.5], [2, 1]]))
