"""Generators by name: the same seed and names, the same numbers."""

from hypothesis import given
from hypothesis import strategies as st

from wordworth.seeds import child, child_seed


@given(st.integers(0, 2**31), st.lists(st.one_of(st.integers(), st.text(max_size=5)), max_size=3))
def test_a_seed_has_63_bits_and_follows_from_its_names_alone(seed, names):
    assert 0 <= child_seed(seed, *names) < 2**63
    assert child(seed, *names).random() == child(seed, *names).random()


def test_the_values_never_change_from_version_to_version():
    assert child_seed(0, "bootstrap") == 6325839391937274781


def test_other_seeds_names_and_orders_are_other_generators():
    drawn = [child(seed, *names).random() for seed, names in ((0, "ab"), (0, "ba"), (1, "ab"), (0, ("ab",)))]
    assert len(set(drawn)) == 4
