"""The crossed bootstrap: what moves together, and how often its intervals hold the truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from wordworth.measures import bootstrap
from wordworth.measures.bootstrap import share_draws

D = np.array([[1.0, 0, 0, 1], [0, 0, -1, 1]])  # runs x items


def test_a_paired_standard_error_knows_that_the_items_are_the_same():
    a, b = np.array([1, 1, 1, 0, 1, 0, 1, 1, 0, 1]), np.array([1, 1, 0, 0, 1, 1, 1, 0, 0, 1])
    weights = bootstrap.item_weights(10, 200_000, np.random.default_rng(0)) / 10
    assert (a - b).mean() == pytest.approx(0.1)
    assert (a != b).mean() == pytest.approx(0.3)
    assert (weights @ (a - b)).std() == pytest.approx(0.170294, abs=1e-3)
    unpaired = np.hypot((weights @ a).std(), (weights @ b).std())
    assert unpaired == pytest.approx(0.212132, abs=1e-3)


def test_resampling_items_moves_columns_and_resampling_runs_moves_rows():
    assert D.mean() == 0.25
    assert D.mean(axis=1).tolist() == [0.5, 0]
    assert D.mean(axis=0).tolist() == [0.5, 0, -0.5, 1]
    weights = np.array([[4.0, 0, 0, 0], [0, 0, 4, 0], [1, 1, 1, 1]])
    picks = np.array([[0, 0], [1, 1], [0, 1]])
    point, by_draw = D.mean(axis=1), D @ weights.T / 4
    assert bootstrap.items_only(point, by_draw, picks).tolist() == [0.5, -0.5, 0.25]
    assert bootstrap.runs_only(point, by_draw, picks).tolist() == [0.5, 0, 0.25]
    stretched = np.array([0.5, -0.5, 0.25]) + np.sqrt(2) * np.array([0.25, -0.25, 0])
    assert bootstrap.crossed(point, by_draw, picks) == pytest.approx(stretched)


def test_one_run_has_the_item_part_alone():
    by_draw = np.array([[0.1, 0.2, 0.3]])
    picks = bootstrap.run_picks(1, 3, np.random.default_rng(0))
    assert bootstrap.crossed(np.array([0.2]), by_draw, picks).tolist() == [0.1, 0.2, 0.3]


@given(seed=st.integers(0, 2**32 - 1), runs=st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_a_difference_of_draws_is_the_draws_of_the_difference(seed, runs):
    rng = np.random.default_rng(seed)
    (p, q), (a, b) = rng.random((2, runs)), rng.random((2, runs, 20))
    picks = bootstrap.run_picks(runs, 20, rng)
    apart = bootstrap.crossed(p, a, picks) - bootstrap.crossed(q, b, picks)
    np.testing.assert_allclose(apart, bootstrap.crossed(p - q, a - b, picks), atol=1e-12)


@given(seed=st.integers(0, 2**32 - 1), items=st.integers(1, 30))
@settings(max_examples=25, deadline=None)
def test_a_resampled_set_is_as_large_as_the_set(seed, items):
    weights = bootstrap.item_weights(items, 7, np.random.default_rng(seed))
    assert weights.shape == (7, items)
    assert (weights >= 0).all()
    assert (weights.sum(axis=1) == items).all()


def test_twins_are_drawn_together():
    groups = np.array(["a", "b", "a", "c"])
    weights = bootstrap.item_weights(4, 100, np.random.default_rng(0), groups)
    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, [0, 1, 3]].sum(axis=1) == 3).all()
    assert weights[:, 0].std() > 0


def test_the_same_generator_gives_the_same_weights():
    first, second = (bootstrap.item_weights(50, 20, np.random.default_rng(3)) for _ in range(2))
    assert (first == second).all()


def test_an_interval_holds_its_share_of_the_draws():
    found = bootstrap.interval(np.arange(1001.0), level=0.9)
    assert (found.low, found.high) == pytest.approx((50, 950))
    assert 500 in found
    assert 951 not in found


@pytest.mark.parametrize(("draws", "level"), [([], 0.95), ([1.0], 0), ([1.0], 1)])
def test_an_interval_of_nothing_is_refused(draws, level):
    with pytest.raises(ValueError, match="an interval needs"):
        bootstrap.interval(np.array(draws), level)


def drawn(runs, spread, items=400):
    rng = np.random.default_rng(5)
    scores = rng.normal(0, spread, (runs, 1)) + rng.normal(0, 1, items) / 10 + rng.normal(0, 1e-6, (runs, items))
    weights = bootstrap.item_weights(items, 2000, rng)
    return scores.mean(axis=1), scores @ weights.T / items, bootstrap.run_picks(runs, 2000, rng)


def test_an_interval_over_few_runs_is_as_wide_as_students():
    point, by_draw, picks = drawn(3, 1.0)
    found = bootstrap.crossed_interval(point, by_draw, picks)
    plain = bootstrap.interval(bootstrap.crossed(point, by_draw, picks))
    assert (found.high - found.low) / (plain.high - plain.low) == pytest.approx(4.303 / 1.960, rel=0.02)


def test_runs_that_do_not_differ_leave_the_item_part():
    point, by_draw, picks = drawn(5, 0.0)
    items = bootstrap.interval(bootstrap.items_only(point, by_draw, picks))
    found = bootstrap.crossed_interval(point, by_draw, picks)
    assert (found.low, found.high) == pytest.approx((items.low, items.high), abs=1e-4)
    alone = bootstrap.crossed_interval(point[:1], by_draw[:1], np.zeros((2000, 1), dtype=int))
    assert alone == bootstrap.interval(by_draw[0])


@given(shift=st.floats(-10, 10), scale=st.floats(0.1, 10))
@settings(max_examples=20, deadline=None)
def test_an_interval_moves_and_stretches_with_its_scores(shift, scale):
    point, by_draw, picks = drawn(4, 0.1, 50)
    one = bootstrap.crossed_interval(point, by_draw, picks)
    other = bootstrap.crossed_interval(scale * point + shift, scale * by_draw + shift, picks)
    assert (other.low, other.high) == pytest.approx((scale * one.low + shift, scale * one.high + shift), abs=1e-9)


def test_scores_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match="do not fit"):
        bootstrap.crossed(np.zeros(2), np.zeros((2, 5)), np.zeros((4, 2), dtype=int))


@given(seed=st.integers(0, 2**32 - 1), runs=st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_the_percentiles_of_the_widened_draws_are_the_interval(seed, runs):
    rng = np.random.default_rng(seed)
    point, by_draw, picks = rng.random(runs), rng.random((runs, 200)), bootstrap.run_picks(runs, 200, rng)
    draws = bootstrap.widened(point, by_draw, picks)
    assert bootstrap.interval(draws) == bootstrap.crossed_interval(point, by_draw, picks)


def test_an_interval_is_cut_at_the_ends_of_a_scale():
    assert bootstrap.Interval(-0.2, 1.01).within(0.0, 1.0) == bootstrap.Interval(0.0, 1.0)
    assert bootstrap.Interval(0.2, 0.3).within(0.0, 1.0) == bootstrap.Interval(0.2, 0.3)


def test_items_of_one_group_come_and_go_together():
    right = np.repeat([1.0, 0.0], 50)[:, None]
    apart = share_draws(right, np.ones(100), np.arange(100), 400, np.random.default_rng(0))
    together = share_draws(right, np.ones(100), np.repeat([0, 1], 50), 400, np.random.default_rng(0))
    assert apart.std() < 0.07
    assert set(np.unique(together)) == {0.0, 0.5, 1.0}


def test_draws_lie_around_the_share():
    rng = np.random.default_rng(0)
    right, asked = rng.integers(0, 2, (500, 2)).astype(float), rng.integers(1, 3, 500).astype(float)
    found = share_draws(right, asked, rng.integers(0, 40, 500), 2_000, rng)
    assert found.mean(axis=0) == pytest.approx(right.sum(axis=0) / asked.sum(), abs=0.01)


def test_columns_share_their_draws():
    right = np.random.default_rng(0).integers(0, 2, 80).astype(float)
    found = share_draws(np.stack([right, right], axis=1), np.ones(80), np.arange(80), 50, np.random.default_rng(1))
    assert np.array_equal(found[:, 0], found[:, 1])


def test_the_ends_of_very_wide_intervals_lie_where_a_normal_distribution_has_them():
    draws = np.random.default_rng(0).normal(2.0, 3.0, 1_000)
    for level in (0.984, 0.998, 0.9998):
        span = bootstrap.interval(draws, level)
        reach = 3.0 * stats.norm.ppf((1 + level) / 2)
        assert (span.low, span.high) == pytest.approx((2.0 - reach, 2.0 + reach), rel=0.1, abs=0.5)


@given(st.lists(st.sampled_from([0.5, 0.9, 0.95, 0.98, 0.985, 0.99, 0.999]), min_size=2, max_size=2, unique=True))
def test_a_surer_interval_holds_the_less_sure_one(levels):
    draws = np.random.default_rng(1).normal(0.0, 1.0, 1_000)
    less, more = (bootstrap.interval(draws, level) for level in sorted(levels))
    assert more.low <= less.low + 0.15  # the change from percentiles to the normal quantiles leaves their own noise
    assert more.high >= less.high - 0.15


def test_the_variance_between_runs_is_free_of_their_luck_with_the_items():
    rng, estimates = np.random.default_rng(0), []
    for _ in range(300):
        level = rng.normal(0.8, 0.02, (5, 1))
        right = (rng.random((5, 500)) < level).astype(float)
        by_draw = right @ bootstrap.item_weights(500, 200, rng).T / 500
        estimates.append(bootstrap.run_variance(right.mean(axis=1), by_draw))
    assert np.mean(estimates) == pytest.approx(0.02**2, rel=0.15)


def test_an_interval_is_clipped_to_the_ends_and_one_within_them_stays():
    point, by_draw = np.array([0.2, 0.8]), np.repeat([[0.2], [0.8]], 200, axis=1)
    picks = bootstrap.run_picks(2, 200, np.random.default_rng(0))
    wide = bootstrap.crossed_interval(point, by_draw, picks)
    assert 0 in wide
    assert 1 in wide
    assert wide.low < 0
    clipped = bootstrap.crossed_interval(point, by_draw, picks, value_range=(0.0, 1.0))
    assert (clipped.low, clipped.high) == (0.0, 1.0)
    assert bootstrap.crossed_interval(point, by_draw, picks, value_range=(-9.0, 9.0)) == wide
