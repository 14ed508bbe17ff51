import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata, spearmanr

from wordworth.measures.correlation import partial_rank, spearman

ONE = np.ones((1, 60))
NONE = np.zeros((60, 0))


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_with_nothing_held_it_is_spearmans_correlation(seed):
    rng = np.random.default_rng(seed)
    x, y = rng.integers(0, 9, 60).astype(float), rng.normal(size=60)
    assert partial_rank(x, y, NONE, ONE)[0] == pytest.approx(spearmanr(x, y).statistic)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_it_is_the_correlation_of_what_regressions_on_the_others_leave(seed):
    rng = np.random.default_rng(seed)
    held = rng.normal(size=(60, 2))
    x, y = held[:, 0] + rng.normal(size=60), held.sum(axis=1) + rng.normal(size=60)
    ranks = [rankdata(column) for column in (x, y, *held.T)]
    others = np.column_stack([np.ones(60), *ranks[2:]])
    left = [rank - others @ np.linalg.lstsq(others, rank, rcond=None)[0] for rank in ranks[:2]]
    assert partial_rank(x, y, held, ONE)[0] == pytest.approx(np.corrcoef(left)[0, 1])


def test_a_common_cause_that_is_held_leaves_little():
    rng = np.random.default_rng(0)
    cause = rng.normal(size=600)
    x, y = cause + 0.3 * rng.normal(size=600), cause + 0.3 * rng.normal(size=600)
    weights = np.ones((1, 600))
    assert partial_rank(x, y, np.zeros((600, 0)), weights)[0] > 0.8
    assert abs(partial_rank(x, y, cause[:, None], weights)[0]) < 0.15


def test_what_does_not_vary_or_is_told_by_the_others_is_undefined():
    x = np.arange(60.0)
    assert np.isnan(partial_rank(np.ones(60), x, NONE, ONE)[0])
    assert np.isnan(partial_rank(x, x[::-1].copy(), x[:, None], ONE)[0])


def test_others_that_do_not_vary_change_nothing():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 60))
    assert partial_rank(x, y, np.ones((60, 1)), ONE)[0] == pytest.approx(spearmanr(x, y).statistic)


def test_a_draw_that_takes_an_item_twice_weighs_it_twice():
    rng = np.random.default_rng(1)
    x, y = rng.permutation(60).astype(float), rng.permutation(60).astype(float)
    weight = rng.integers(0, 3, 60).astype(float)
    repeated = np.corrcoef(np.repeat(rankdata(x), weight.astype(int)), np.repeat(rankdata(y), weight.astype(int)))
    assert partial_rank(x, y, NONE, weight[None])[0] == pytest.approx(repeated[0, 1])


def test_a_draw_without_the_items_that_differ_is_undefined():
    x = np.ones(60)
    x[0] = 0.999
    weights = np.ones((2, 60))
    weights[1, 0] = 0
    found = partial_rank(x, np.arange(60.0), NONE, weights)
    assert np.isfinite(found[0])
    assert np.isnan(found[1])


def rank_correlation(given, gold):
    return float(spearman(np.array(gold, float), np.array(given, float), np.ones((1, len(gold))))[0])


@pytest.mark.parametrize(
    ("given", "expected"),
    [([1, 2, 2, 3], 0.9486833), ([0.5, 0.5, 0.5, 0.9], 0.7745967)],
)
def test_ties_share_their_rank(given, expected):
    assert rank_correlation(given, [1, 2, 3, 4]) == pytest.approx(expected, abs=1e-6)


def test_scores_that_are_all_the_same_rank_nothing_and_count_as_no_correlation():
    assert rank_correlation([0.5, 0.5, 0.5, 0.5], [1, 2, 3, 4]) == 0
    assert rank_correlation([1, 2, 3, 4], [7, 7, 7, 7]) == 0
