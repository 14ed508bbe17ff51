"""Intervals of proportions against published ones, and how often they hold the truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parts.proportions import mean_of_shares, wilson


@given(items=st.integers(0, 500), data=st.data())
def test_an_interval_holds_its_share_and_lies_between_nothing_and_all(items, data):
    hits = data.draw(st.integers(0, items))
    interval = wilson(hits, items)
    assert 0 <= interval.low <= interval.high <= 1
    assert not items or interval.low - 1e-12 <= hits / items <= interval.high + 1e-12


def test_published_intervals():  # Newcombe 1998 (Statistics in Medicine 17), table I, method 3
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (hits, items), (low, high) in published.items():
        interval = wilson(hits, items)
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("truth", [0.5, 0.9])
def test_a_mean_of_shares_is_covered_as_often_as_its_level(truth):
    rng = np.random.default_rng(0)
    shares = np.clip(rng.normal(truth, 0.05, 12), 0.02, 0.98)
    held = 0
    for _ in range(1000):
        _, interval = mean_of_shares(rng.binomial(60, shares), np.full(12, 60))
        held += shares.mean() in interval
    assert 0.93 <= held / 1000 <= 0.975


def test_groups_weigh_alike_whatever_their_size():
    mean, interval = mean_of_shares([10, 0], [10, 1000])
    assert mean == 0.5
    assert 0.5 in interval
    assert interval.high > interval.low
