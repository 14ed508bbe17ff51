"""Costs: break-even that never divides by zero, and a map that says where it is unsure."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures import serving_costs

MONEY = st.floats(0, 1e6)


def test_break_even_of_the_worked_example():
    slow, fast = serving_costs.per_text(0.05, 62), serving_costs.per_text(0.05, 5166)
    assert slow == pytest.approx(2.240143e-7, rel=1e-6)
    assert fast == pytest.approx(2.6885e-9, rel=1e-4)
    assert float(serving_costs.break_even(3000 * 0.036, slow - fast)) == pytest.approx(4.8797e8, rel=1e-4)


@pytest.mark.parametrize(("more", "less", "texts"), [(108, 0, np.inf), (108, -1, np.inf), (0, 0, 0), (-5, 1, 0)])
def test_a_system_that_is_no_cheaper_a_text_never_pays_off(more, less, texts):
    assert float(serving_costs.break_even(more, less)) == texts


@given(more=MONEY, less=st.floats(1e-6, 1e3))
def test_costs_are_equal_at_break_even(more, less):
    texts = float(serving_costs.break_even(more, less))
    assert texts * less == pytest.approx(more, abs=1e-6)


def prices(months=1.0):
    fixed = np.array([[0.0, 0.0], [10.0, 10.0]])
    return serving_costs.Prices(label=0.1, fixed=fixed, text=np.array([1e-6, 1e-3]), months=months)


def test_a_total_is_labels_training_and_texts():
    found = serving_costs.total(prices(months=2), np.array([100, 1000]), np.array([0, 1e6]))
    assert found.shape == (2, 2, 2)
    assert found[0] == pytest.approx(np.array([[10, 100], [12, 102]]))
    assert found[1] == pytest.approx(np.array([[20, 110], [2020, 2110]]))


def test_the_cheapest_candidate_is_named_and_none_where_there_is_none():
    candidates = np.array([[False, True, False], [True, True, False]])
    paid = serving_costs.total(prices(), np.array([100, 1000, 1000])[:2], np.array([0, 1e6]))
    found = serving_costs.cheapest(candidates, np.concatenate([paid, paid[..., :1]], axis=2))
    assert found.tolist() == [[1, 0, -1], [1, 0, -1]]


def test_a_cost_within_a_hundredth_is_a_tie_that_goes_to_the_ladders_first():
    candidates, paid = np.ones((3, 1), dtype=bool), np.array([[[150.9]], [[150.8]], [[150.0]]])
    assert serving_costs.cheapest(candidates, paid).tolist() == [[0]]
    assert serving_costs.cheapest(candidates, paid, tie=0).tolist() == [[2]]


def test_more_texts_can_only_move_the_map_to_rungs_that_serve_cheaper():
    rng = np.random.default_rng(1)
    paid = serving_costs.Prices(label=0.1, fixed=rng.random((3, 4)), text=np.array([1e-3, 1e-5, 1e-6]))
    total = serving_costs.total(paid, np.arange(4), np.geomspace(1, 1e9, 20))
    found = serving_costs.cheapest(np.ones((3, 4), dtype=bool), total, tie=0)
    assert (np.diff(paid.text[found], axis=0) <= 0).all()


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_no_candidate_is_cheaper_than_the_one_named_beyond_a_tie(seed):
    rng = np.random.default_rng(seed)
    candidates, paid = rng.random((4, 3)) < 0.7, rng.random((4, 5, 3))
    found = serving_costs.cheapest(candidates, paid)
    for volume, size in np.ndindex(5, 3):
        named, open_ = found[volume, size], np.flatnonzero(candidates[:, size])
        assert (named == -1) == (not len(open_))
        assert named == -1 or named in open_
        assert named == -1 or paid[named, volume, size] <= 1.01 * paid[open_, volume, size].min() + 1e-9
