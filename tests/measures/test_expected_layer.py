"""At which layer something is found: by hand, and what must always hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.expected_layer import centre_of_gravity, expected_layer, gains, kl_to_uniform


@given(st.integers(1, 30))
def test_equal_weights_have_their_centre_in_the_middle_and_no_distance_to_themselves(depth):
    shares = np.full(depth + 1, 1 / (depth + 1))
    assert centre_of_gravity(shares) == pytest.approx(depth / 2)
    assert kl_to_uniform(shares) == pytest.approx(0, abs=1e-12)


def test_all_weight_on_one_layer_is_its_number_and_the_farthest_from_equal():
    shares = np.array([0.0, 0.0, 1.0, 0.0])
    assert centre_of_gravity(shares) == 2
    assert kl_to_uniform(shares) == pytest.approx(np.log(4))


def test_the_expected_layer_of_a_list_of_scores_by_hand():
    scores = np.array([0.5, 0.7, 0.9, 0.8, 0.9])
    assert gains(scores) == pytest.approx([0.2, 0.2, -0.1, 0.1])
    assert float(expected_layer(scores)) == pytest.approx((1 * 0.2 + 2 * 0.2 - 3 * 0.1 + 4 * 0.1) / 0.4)


def test_what_all_layers_gain_nothing_over_words_has_no_expected_layer():
    found = expected_layer(np.array([[0.5, 0.6, 0.5], [0.5, 0.6, 0.4], [0.5, 0.5, 0.6]]))
    assert np.isnan(found[:2]).all()
    assert found[2] == pytest.approx(2)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12), st.floats(0.1, 5), st.floats(-1, 1))
def test_neither_the_unit_of_the_score_nor_a_shift_moves_it(scores, unit, shift):
    rising = np.cumsum(np.array(scores) + 0.01)
    assert float(expected_layer(unit * rising + shift)) == pytest.approx(float(expected_layer(rising)), abs=1e-6)
    assert 1 <= float(expected_layer(rising)) <= len(scores) - 1 + 1e-9
