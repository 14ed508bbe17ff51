"""Clopper and Pearson's interval, held to scipy's and to what it promises."""

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from wordworth.measures.binomial import exact_interval

CASES = [(0, 1), (0, 100), (1, 100), (20, 100), (99, 100), (100, 100), (365, 1_000)]


@pytest.mark.parametrize(("seen", "trials"), CASES)
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_it_is_that_of_scipy(seen, trials, level):
    ours = exact_interval(seen, trials, level)
    theirs = binomtest(seen, trials).proportion_ci(level, method="exact")
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_where_nothing_was_seen_in_100_it_reaches_up_to_3_6_percent():
    assert exact_interval(0, 100).high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert exact_interval(0, 100).low == 0


@pytest.mark.parametrize("truth", [0.001, 0.02, 0.3])
def test_it_holds_the_truth_at_least_as_often_as_it_says(truth):
    spans = [exact_interval(seen, 100) for seen in range(101)]
    holds = np.array([truth in span for span in spans])
    assert binom.pmf(np.arange(101), 100, truth)[holds].sum() >= 0.95
