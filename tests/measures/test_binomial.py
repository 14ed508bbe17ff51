"""Exact intervals and tests of shares, held to scipy's, to sums over all outcomes, and to what they promise."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest

from wordworth.measures.binomial import (
    detectable_share,
    exact_interval,
    guessing_tail,
    holm,
    least_above_guessing,
    paired_shares,
    sign_test,
)

CASES = [(0, 1), (0, 100), (1, 100), (20, 100), (99, 100), (100, 100), (365, 1_000)]
P = np.array([0.01, 0.04, 0.03, 0.005])


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


@pytest.mark.parametrize(("first", "second", "items"), [(5, 1, 60), (0, 7, 60), (30, 22, 273), (0, 0, 10)])
def test_two_systems_on_the_same_items_are_compared_by_mcnemars_exact_test(first, second, items):
    found = paired_shares(first, second, items)
    assert found.value == pytest.approx((first - second) / items)
    expected = binomtest(first, first + second).pvalue if first + second else 1.0
    assert found.p_value == pytest.approx(expected)
    assert found.interval.low <= found.value <= found.interval.high
    swapped = paired_shares(second, first, items)
    assert (swapped.interval.low, swapped.interval.high) == pytest.approx((-found.interval.high, -found.interval.low))


@pytest.mark.parametrize("items", [60, 273])
@pytest.mark.parametrize(("first", "second"), [(0.05, 0.0), (0.1, 0.02), (0.02, 0.005), (0.3, 0.1)])
def test_the_interval_of_a_difference_holds_the_truth_also_where_few_items_differ(items, first, second):
    """`first` and `second` are the true shares of items that only one of the systems has right."""
    held = 0.0
    for differing in range(items + 1):
        if (chance := binom.pmf(differing, items, first + second)) > 1e-9:
            of_first = binom.pmf(np.arange(differing + 1), differing, first / (first + second))
            intervals = [paired_shares(wins, differing - wins, items).interval for wins in range(differing + 1)]
            held += chance * of_first[[first - second in interval for interval in intervals]].sum()
    assert held >= 0.95


def test_that_two_systems_never_differ_on_ten_items_does_not_make_them_the_same():
    difference = paired_shares(0, 0, 10)
    assert (difference.value, difference.p_value) == (0.0, 1.0)
    assert difference.interval.high == -difference.interval.low == exact_interval(0, 10).high


def test_the_difference_excludes_zero_where_the_test_rejects():
    for first in range(21):
        found = paired_shares(first, 20 - first, 100)
        assert (0.0 not in found.interval) == (found.p_value < 0.05)


@given(st.lists(st.sampled_from([0.2, 0.25, 1 / 3, 0.5]), min_size=1, max_size=9))
def test_guessing_is_the_sum_over_all_ways_of_being_right(chances):
    ways = np.array(list(product([0, 1], repeat=len(chances))))
    weights = np.prod(np.where(ways, chances, 1 - np.array(chances)), axis=1)
    for right in range(len(chances) + 1):
        assert guessing_tail(right, chances) == pytest.approx(weights[ways.sum(1) >= right].sum())


def test_items_of_one_kind_are_guessed_by_the_binomial_distribution():
    assert guessing_tail(150, [0.5] * 273) == pytest.approx(binom.sf(149, 273, 0.5))
    assert guessing_tail(35_000, [0.5] * 67_000) == pytest.approx(binom.sf(34_999, 67_000, 0.5))


def test_sixty_items_show_little():
    least = least_above_guessing([0.5] * 60)
    assert binom.sf(least - 1, 60, 0.5) <= 0.05 < binom.sf(least - 2, 60, 0.5)
    share = detectable_share(least, 60)
    assert binom.sf(least - 1, 60, share) == pytest.approx(0.8)
    assert 0.64 < share < 0.67  # a model has to be right in two of three
    assert least_above_guessing([0.5] * 3) == 4  # three right are luck in one of eight cases
    assert np.isnan(detectable_share(4, 3))


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_lies_between_the_values_and_bonferroni(p_values):
    corrected = holm(p_values)
    for value, each in zip(p_values, corrected, strict=True):
        assert value <= each <= min(1.0, value * len(p_values)) or each == pytest.approx(value)
    order = np.argsort(p_values, kind="stable")
    assert (np.diff(np.array(corrected)[order]) >= 0).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_rejects_what_bonferroni_rejects_in_every_set_of_hypotheses_that_has_it(p_values):
    """The closed test by which Holm (1979) derives the correction."""
    number = len(p_values)
    sets = [chosen for size in range(1, number + 1) for chosen in combinations(range(number), size)]
    bonferroni = {chosen: min(1.0, len(chosen) * min(p_values[each] for each in chosen)) for chosen in sets}
    expected = [max(p for chosen, p in bonferroni.items() if index in chosen) for index in range(number)]
    assert holm(p_values) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("wins", "trials", "p"), [(30, 42, 0.007916), (19, 21, 0.000221), (11, 21, 1), (11, 14, 0.057373), (0, 0, 1)]
)
def test_sign_tests_of_the_papers_counts(wins, trials, p):
    assert sign_test(wins, trials) == pytest.approx(p, abs=1e-6)


def test_adjusted_p_values_of_the_worked_example():
    assert holm(P) == pytest.approx([0.03, 0.06, 0.06, 0.02])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_adjusting_never_makes_a_claim_stronger_and_ignores_the_order(values, random):
    p = np.array(values)
    order = list(range(len(p)))
    random.shuffle(order)
    adjusted = np.array(holm(p))
    assert (adjusted >= p - 1e-12).all()
    assert (adjusted <= 1).all()
    np.testing.assert_allclose(holm(p[order]), adjusted[order])
