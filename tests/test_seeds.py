"""Generators by name: the same seed and names, the same numbers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wordworth.seeds import child, child_seed, sorted_sample


@given(st.integers(0, 2**31), st.lists(st.one_of(st.integers(), st.text(max_size=5)), max_size=3))
def test_a_seed_has_63_bits_and_follows_from_its_names_alone(seed, names):
    assert 0 <= child_seed(seed, *names) < 2**63
    assert child(seed, *names).random() == child(seed, *names).random()


def test_the_values_never_change_from_version_to_version():
    assert child_seed(0, "bootstrap") == 6325839391937274781


def test_other_seeds_names_and_orders_are_other_generators():
    drawn = [child(seed, *names).random() for seed, names in ((0, "ab"), (0, "ba"), (1, "ab"), (0, ("ab",)))]
    assert len(set(drawn)) == 4


@given(st.integers(0, 50), st.integers(0, 60))
def test_a_sample_is_in_order_has_no_item_twice_and_holds_all_if_there_are_no_more_than_asked(number, most):
    items = 3 * np.arange(number)
    drawn = sorted_sample(child(0, "rows"), items, most)
    assert len(drawn) == min(number, most)
    assert (np.diff(drawn) > 0).all()
    assert np.isin(drawn, items).all()
    np.testing.assert_array_equal(drawn, items[sorted_sample(child(0, "rows"), number, most)])
