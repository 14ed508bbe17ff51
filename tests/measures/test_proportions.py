"""Shares come with intervals that hold the truth as often as they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.proportions import mean_of_shares, wilson


@given(asked=st.integers(0, 500), data=st.data())
def test_an_interval_holds_its_share_and_lies_between_nothing_and_all(asked, data):
    right = data.draw(st.integers(0, asked))
    found = wilson(right, asked)
    assert 0 <= found.low <= found.high <= 1
    assert not asked or found.low - 1e-12 <= right / asked <= found.high + 1e-12


def test_published_intervals():  # Newcombe 1998 (Statistics in Medicine 17), table I, method 3
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (right, asked), (low, high) in published.items():
        found = wilson(right, asked)
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("truth", [0.5, 0.9])
def test_a_mean_of_shares_is_covered_as_often_as_its_level(truth):
    rng = np.random.default_rng(0)
    shares = np.clip(rng.normal(truth, 0.05, 12), 0.02, 0.98)
    held = 0
    for _ in range(1000):
        _, found = mean_of_shares(rng.binomial(60, shares), np.full(12, 60))
        held += shares.mean() in found
    assert 0.93 <= held / 1000 <= 0.975


def test_groups_weigh_alike_whatever_their_size():
    mean, found = mean_of_shares([10, 0], [10, 1000])
    assert mean == 0.5
    assert 0.5 in found
    assert found.high > found.low
