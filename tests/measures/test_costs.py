"""Costs: break-even that never divides by zero, and a map that says where it is unsure."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.measures import costs

MONEY = st.floats(0, 1e6)


def test_break_even_of_the_worked_example():  # W27
    slow, fast = costs.per_text(0.05, 62), costs.per_text(0.05, 5166)
    assert slow == pytest.approx(2.240143e-7, rel=1e-6)
    assert fast == pytest.approx(2.6885e-9, rel=1e-4)
    assert float(costs.break_even(3000 * 0.036, slow - fast)) == pytest.approx(4.8797e8, rel=1e-4)


@pytest.mark.parametrize(("more", "less", "texts"), [(108, 0, np.inf), (108, -1, np.inf), (0, 0, 0), (-5, 1, 0)])
def test_a_system_that_is_no_cheaper_a_text_never_pays_off(more, less, texts):  # W27
    assert float(costs.break_even(more, less)) == texts


@given(more=MONEY, less=st.floats(1e-6, 1e3))
def test_costs_are_equal_at_break_even(more, less):
    texts = float(costs.break_even(more, less))
    assert texts * less == pytest.approx(more, abs=1e-6)


def prices(months=1.0):
    fixed = np.array([[0.0, 0.0], [10.0, 10.0]])
    return costs.Prices(label=0.1, fixed=fixed, text=np.array([1e-6, 1e-3]), months=months)


def test_a_total_is_labels_training_and_texts():
    found = costs.total(prices(months=2), np.array([100, 1000]), np.array([0, 1e6]))
    assert found.shape == (2, 2, 2)
    assert found[0] == pytest.approx(np.array([[10, 100], [12, 102]]))
    assert found[1] == pytest.approx(np.array([[20, 110], [2020, 2110]]))


def test_the_map_names_the_cheapest_adequate_rung_and_where_it_is_unsure():
    rng = np.random.default_rng(0)
    means = np.array([[0.70, 0.799], [0.80, 0.80]])
    draws = means[..., None] + rng.normal(0, 0.004, (2, 2, 500))
    found = costs.decide(draws, costs.total(prices(), np.array([100, 1000]), np.array([0, 1e6])), epsilon=0.005)
    assert found.rung.tolist() == [[1, 0], [1, 0]]
    assert found.uncertain.tolist() == [[False, True], [False, True]]
    assert found.share[0, 0] == 1
    assert 0.5 < found.share[0, 1] < 0.95
    assert found.cost[0].tolist() == [20, 100]


def test_more_texts_can_only_move_the_map_to_rungs_that_serve_cheaper():
    rng = np.random.default_rng(1)
    draws = 0.8 + rng.normal(0, 0.001, (3, 4, 50))
    paid = costs.Prices(label=0.1, fixed=rng.random((3, 4)), text=np.array([1e-3, 1e-5, 1e-6]))
    found = costs.decide(draws, costs.total(paid, np.arange(4), np.geomspace(1, 1e9, 20)), epsilon=0.05)
    assert (np.diff(paid.text[found.rung], axis=0) <= 0).all()


def test_a_rung_that_was_not_measured_is_never_named():
    draws = np.stack([np.full((2, 10), np.nan), np.full((2, 10), 0.8)])
    draws[1, 1] = np.nan
    found = costs.decide(draws, np.ones((2, 3, 2)), epsilon=0.01)
    assert found.rung.tolist() == [[1, -1]] * 3
    assert np.isnan(found.cost[:, 1]).all()
    assert found.uncertain[:, 1].all()


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_the_named_rung_is_adequate_and_none_adequate_is_cheaper(seed):
    rng = np.random.default_rng(seed)
    draws, paid = rng.random((4, 3, 8)), rng.random((4, 5, 3))
    found = costs.decide(draws, paid, epsilon=0.1)
    means = draws.mean(axis=2)
    for volume, size in np.ndindex(5, 3):
        adequate = np.flatnonzero(means[:, size] >= means[:, size].max() - 0.1)
        assert found.rung[volume, size] == min(adequate, key=lambda r: paid[r, volume, size])
