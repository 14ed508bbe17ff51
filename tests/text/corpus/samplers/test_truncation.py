from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.text.corpus.samplers.truncation import truncate


def slow_lengths(first, second, room):
    while first + second > room:
        if first > second:
            first -= 1
        else:
            second -= 1
    return first, second


@given(st.lists(st.tuples(st.integers(1, 90), st.integers(1, 90)), min_size=1, max_size=20), st.integers(2, 60))
@settings(max_examples=100, deadline=None)
def test_lengths_are_those_of_taking_a_token_at_a_time_from_the_longer_text(sizes, room):
    first = np.array([(10, 10 + size) for size, _ in sizes])
    second = np.array([(500, 500 + size) for _, size in sizes])
    cut_first, cut_second = truncate(first, second, room, np.random.default_rng(0))
    lengths = zip(np.diff(cut_first).ravel().tolist(), np.diff(cut_second).ravel().tolist(), strict=True)
    assert list(lengths) == [slow_lengths(a, b, room) for a, b in sizes]
    assert (cut_first[:, 0] >= first[:, 0]).all()
    assert (cut_second[:, 1] <= second[:, 1]).all()


def test_as_much_goes_from_the_front_as_from_the_back():
    first = np.tile([[0, 100]], (4000, 1))
    cut, _ = truncate(first, np.tile([[0, 100]], (4000, 1)), 100, np.random.default_rng(0))
    fronts = cut[:, 0]
    assert abs(fronts.mean() - 25) < 0.3  # 50 tokens go: binomial with mean 25, deviation 3.5
    assert 3.3 < fronts.std() < 3.8
