"""Curves of pruning: their numbers of heads, their area, and how many heads a margin allows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.inference.head_importance import HeadImportance
from wordworth.measures.paired_changes import Change
from wordworth.studies.heads.pruning_curves import Curve, lead_over, most_within, numbers_pruned, orders


def curve(values, pruned=None):
    changes = tuple(Change(value, np.full(50, value)) for value in values)
    return Curve("importance", tuple(pruned or range(1, len(values) + 1)), changes)


@given(st.integers(1, 12), st.integers(2, 16))
def test_numbers_of_pruned_heads_rise_to_all_that_can_go(layers, heads):
    numbers = numbers_pruned(layers * heads, layers * (heads - 1))
    assert list(numbers) == sorted(set(numbers))
    assert 0 not in numbers
    assert numbers[-1] <= layers * (heads - 1)


def test_the_margin_allows_the_largest_number_within_it():
    assert most_within(curve([0.0, -0.02, -0.005, -0.2]), 0.01) == 3
    assert most_within(curve([-0.02, -0.03]), 0.01) == 0
    assert most_within(curve([0.33 - 0.34]), 0.01) == 1  # the margin itself, but for rounding
    assert most_within(curve([0.01, -0.01], pruned=(7, 14)), 0.01) == 14


def test_the_area_is_the_mean_change_and_a_lead_is_over_the_mean_of_the_others():
    assert curve([-0.1, -0.3]).area.value == pytest.approx(-0.2)
    value, ends = lead_over(curve([-0.1, -0.1]), [curve([-0.2, -0.2]), curve([-0.4, -0.4])])
    assert value == pytest.approx(0.2)
    assert value - 1e-9 <= ends.high
    assert ends.low <= value + 1e-9


def test_orders_are_by_importance_by_position_reversed_and_random():
    rng = np.random.default_rng(0)
    importance = HeadImportance(rng.random((2, 4)), rng.random((2, 4)), None)
    gates, alone = rng.random((2, 4)), rng.random((2, 4)) - 0.5
    named = orders(importance, gates, alone, seed=0)
    assert list(named) == [
        "importance",
        "by position",
        "gates",
        "by ablation",
        "reverse",
        *(f"random {number}" for number in range(1, 6)),
    ]
    assert len({tuple(order) for order in named.values()}) == 10
    assert all(len(set(order)) == 6 for order in named.values())
    assert named == orders(importance, gates, alone, seed=0)


def test_by_ablation_the_head_without_which_the_score_is_highest_goes_first_and_each_layer_keeps_its_costliest():
    alone = np.array([[0.02, -0.3, 0.0], [-0.1, -0.01, -0.2]])
    importance = HeadImportance(np.ones((2, 3)), np.ones((2, 3)), None)
    assert orders(importance, np.ones((2, 3)), alone, 0)["by ablation"] == [(0, 0), (0, 2), (1, 1), (1, 0)]
