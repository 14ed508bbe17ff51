"""Easy and hard halves: three scales, and the null that a constant advantage must not survive."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from wordworth.measures import bootstrap, gain_by_difficulty
from wordworth.measures.design_effect import few_groups_stretch


def test_items_at_the_median_are_easy():
    halves = gain_by_difficulty.split(np.array([1.0, 1, 1, 1, 2, 3]))
    assert (halves.threshold, halves.hard.sum(), halves.easy.sum()) == (1, 2, 4)


@pytest.mark.parametrize("measure", [[2.0, 2, 2], [np.nan, np.nan], [np.nan, 1], [1, np.inf, np.inf]])
def test_a_measure_that_splits_nothing_is_not_defined(measure):
    assert gain_by_difficulty.split(np.array(measure)) is None


def test_undefined_items_are_counted_and_in_neither_half():
    halves = gain_by_difficulty.split(np.array([1.0, np.nan, 2, 3, np.inf]))
    assert halves.undefined == 1
    assert halves.easy.tolist() == [True, False, True, False, False]
    assert halves.hard.tolist() == [False, False, False, True, True]


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=20))
@settings(max_examples=50, deadline=None)
def test_the_halves_are_those_of_the_usual_median(values):
    measure = np.array(values)
    halves = gain_by_difficulty.split(measure)
    above = measure > np.median(np.sort(measure)[[(len(values) - 1) // 2, len(values) // 2]])
    if halves is None:
        assert not (measure > measure.min()).any() or not above.any()
    else:
        middle = np.sort(measure)[[(len(values) - 1) // 2, len(values) // 2]]
        assert (halves.hard == (measure >= middle[1] if middle[0] < middle[1] else measure > middle[0])).all()


def test_the_three_scales_can_disagree():
    easy, hard = gain_by_difficulty.gap(0.10, 0.06), gain_by_difficulty.gap(0.30, 0.20)
    assert (easy.accuracy, hard.accuracy) == pytest.approx((0.04, 0.10))
    assert (easy.relative, hard.relative) == pytest.approx((0.40, 1 / 3))
    assert (easy.logit, hard.logit) == pytest.approx((0.554311, 0.538997), abs=1e-6)


def test_a_constant_advantage_in_log_odds_widens_the_gap_where_all_err_more():
    gaps = [gain_by_difficulty.gap(1 - a, 1 - expit(logit(a) + 0.5)) for a in (0.95, 0.75)]
    assert [one.accuracy for one in gaps] == pytest.approx([0.019065, 0.081824], abs=1e-6)
    assert [one.logit for one in gaps] == pytest.approx([0.5, 0.5])


def test_a_faultless_half_has_no_infinite_number():
    assert np.isnan(gain_by_difficulty.gap(0.1, 0.0).logit)
    assert np.isnan(gain_by_difficulty.gap(0.0, 0.0).relative)
    assert np.isfinite(gain_by_difficulty.gap(0.1, 0.0, items=50).logit)


def test_a_measure_shuffled_within_a_data_set_supports_the_claim_half_of_the_time():
    rng = np.random.default_rng(0)
    gain = rng.choice([-1.0, 0, 1], p=[0.05, 0.8, 0.15], size=400)
    halves = gain_by_difficulty.split(rng.random(400))
    shuffled = gain_by_difficulty.null_differences(gain, halves, np.zeros(400, dtype=int), 4000, rng)
    apart = np.abs(shuffled) > 1e-9
    assert (shuffled[apart] > 0).mean() == pytest.approx(0.5, abs=0.03)
    assert abs(shuffled.mean()) < 0.002


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_drawing_counts_is_shuffling_the_items(seed):
    rng = np.random.default_rng(seed)
    gain, groups = rng.integers(-1, 2, 60) / 2, rng.integers(3, size=60)
    halves = gain_by_difficulty.split(rng.random(60))
    drawn = gain_by_difficulty.null_differences(gain, halves, groups, 3000, rng)
    slow = np.empty(1000)
    for i in range(1000):
        hard = halves.hard.copy()
        for group in range(3):
            hard[groups == group] = rng.permutation(hard[groups == group])
        slow[i] = gain[hard].mean() - gain[~hard].mean()
    assert drawn.mean() == pytest.approx(slow.mean(), abs=5 * slow.std() / np.sqrt(1000) + 1e-9)
    assert drawn.std() == pytest.approx(slow.std(), rel=0.2)


def simulated(rng, hard_extra, items=3000, runs=4):
    """Errors of a rival, an own system (advantage 0.5 in log-odds) and a third; half of the items harder by 1.5."""
    hard = rng.random(items) < 0.5
    level = 2.0 - 1.5 * hard + rng.normal(0, 0.5, items)
    own = level + 0.5 + hard_extra * hard
    rival_error, own_error = (rng.random((runs, items)) > expit(one) for one in (level, own))
    others = [(rng.random((runs, items)) > expit(level + shift)).mean(axis=0) for shift in (-0.5, 0, 0.3, 0.6)]
    difficulty = np.mean([rival_error.mean(axis=0), own_error.mean(axis=0), *others], axis=0)
    using = gain_by_difficulty.Resampling(
        bootstrap.item_weights(items, 200, rng),
        bootstrap.run_picks(runs, 200, rng),
        gain_by_difficulty.strata(difficulty),
        300,
    )
    measure = hard + rng.normal(0, 0.1, items)
    return gain_by_difficulty.contrast(
        rival_error * 1.0, own_error * 1.0, gain_by_difficulty.split(measure), using, rng
    )


def test_an_advantage_for_hard_items_survives_its_null():
    result = simulated(np.random.default_rng(1), hard_extra=0.8)
    assert result.larger_on_hard
    assert result.survives_null
    assert result.span.low > 0


def test_a_constant_advantage_does_not_survive_its_null():
    results = [simulated(np.random.default_rng(seed), hard_extra=0.0, items=1000) for seed in range(40)]
    assert np.mean([one.larger_on_hard for one in results]) > 0.8
    assert np.mean([one.survives_null for one in results]) <= 0.15
    assert np.mean([one.null_difference for one in results]) > 0.3 * np.mean([one.difference for one in results])


def test_words_are_drawn_by_sentence():
    rng = np.random.default_rng(0)
    rival, own = ((rng.random((3, 40)) < share) * 1.0 for share in (0.4, 0.2))
    sentences, measure = np.repeat(np.arange(8), 5), rng.random(40)
    by_sentence = bootstrap.item_weights(8, 50, rng)
    picks, groups = bootstrap.run_picks(3, 50, rng), np.zeros(40, dtype=int)
    compact = gain_by_difficulty.Resampling(by_sentence, picks, groups, 10, sentences)
    spread = gain_by_difficulty.Resampling(by_sentence[:, sentences], picks, groups, 10)
    results = [
        gain_by_difficulty.contrast(rival, own, gain_by_difficulty.split(measure), using, np.random.default_rng(1))
        for using in (compact, spread)
    ]
    assert results[0].span.low == pytest.approx(results[1].span.low)
    assert results[0].span.high == pytest.approx(results[1].span.high)
    assert results[0].span.high > results[0].span.low


def test_equal_systems_give_no_sign():
    rng = np.random.default_rng(0)
    errors = (rng.random((2, 50)) < 0.3) * 1.0
    using = gain_by_difficulty.Resampling(
        bootstrap.item_weights(50, 20, rng),
        bootstrap.run_picks(2, 20, rng),
        gain_by_difficulty.strata(errors.mean(axis=0)),
        20,
    )
    result = gain_by_difficulty.contrast(errors, errors, gain_by_difficulty.split(rng.random(50)), using, rng)
    assert (result.difference, result.p) == (0, 1)
    assert result.larger_on_hard is None
    assert result.survives_null is None


def test_items_of_equal_error_share_a_stratum():
    error = np.array([0, 0, 0, 0.2, 0.2, 0.5, 1, 1])
    groups = gain_by_difficulty.strata(error)
    for value in np.unique(error):
        assert len(set(groups[error == value])) == 1
    assert len(set(groups)) <= 5
    assert (np.diff(groups[np.argsort(error)]) >= 0).all()


def test_intervals_of_halves_hold_for_new_groups_where_there_are_few():
    """Each of six authors has a gap of its own on the hard half; the true difference over all authors is .1."""
    rng, groups = np.random.default_rng(0), np.repeat(np.arange(6), 20)
    halves, covered = gain_by_difficulty.split(np.tile([0.0, 1.0], 60)), {1.0: 0, few_groups_stretch(6): 0}
    weights = bootstrap.item_weights(len(groups), 400, rng, groups)
    for _ in range(300):
        own = 0.1 + 0.3 * rng.standard_normal(6)
        gain = np.where(halves.hard, own[groups], 0.0) + 0.2 * rng.standard_normal(len(groups))
        for stretch in covered:
            using = gain_by_difficulty.Resampling(
                weights, np.zeros((400, 1), int), np.zeros(120, int), 1, stretch=stretch
            )
            span = gain_by_difficulty.contrast(gain[None], np.zeros((1, 120)), halves, using, rng).span
            covered[stretch] += 0.1 in span
    plain, stretched = (times / 300 for times in covered.values())
    assert plain < 0.88
    assert 0.92 <= stretched <= 0.98
