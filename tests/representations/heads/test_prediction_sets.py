"""Prediction sets hold the right class as often as they are made to, whatever the probabilities are worth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.representations.heads.test_temperature_scaling import drawn

from wordworth.representations.heads.prediction_sets import (
    LEVEL,
    conformal_quantile,
    fit_calibration,
    prediction_sets,
)
from wordworth.representations.heads.temperature_scaling import NOT_CALIBRATED, Calibration, fit_temperature


@pytest.mark.parametrize("factor", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("items", [60, 500])
def test_nine_sets_in_ten_hold_the_right_class_of_new_items(factor, items):
    covered = []
    for seed in range(60):
        (scores, gold), (new, truth) = drawn(items, seed, 6), drawn(1_000, 1_000 + seed, 6)
        sets = prediction_sets(fit_calibration([factor * scores], [gold]), factor * new)
        covered.append(sets[np.arange(len(truth)), truth].mean())
    assert np.mean(covered) == pytest.approx(LEVEL, abs=0.5 / items + 0.012)


def test_worse_scores_have_larger_sets_at_the_same_coverage():
    (scores, gold), noise = drawn(2_000, 0, 5), np.random.default_rng(1).normal(size=(2_000, 5))
    sizes = [
        prediction_sets(fit_calibration([seen[:1_000]], [gold[:1_000]]), seen[1_000:]).sum(1).mean()
        for seen in (scores, scores + 3 * noise)
    ]
    assert sizes[0] + 0.5 < sizes[1]


@given(st.lists(st.floats(0, 1), max_size=60), st.sampled_from([0.5, 0.8, 0.9, 0.95]))
def test_the_quantile_is_the_least_value_with_enough_of_the_others_and_the_new_one_below_it(values, level):
    quantile = conformal_quantile(np.array(values), level)
    if (np.array(values) <= quantile).sum() >= round(level * (len(values) + 1), 9):
        below = [value for value in values if value < quantile]
        assert len(below) < round(level * (len(values) + 1), 9)
    else:
        assert quantile == 1.0


@given(st.integers(0, 200), st.floats(0, 1))
def test_no_set_is_empty_and_a_larger_threshold_takes_no_class_out(seed, threshold):
    scores, _ = drawn(20, seed, 4)
    small = prediction_sets(Calibration(set_threshold=threshold), scores)
    large = prediction_sets(Calibration(set_threshold=min(1.0, threshold + 0.1)), scores)
    assert small.any(axis=1).all()
    assert (large >= small).all()


def test_without_held_out_items_nothing_is_fitted_and_every_class_is_in_the_set():
    calibration = fit_calibration([np.zeros((0, 3))], [np.zeros(0, dtype=np.int64)])
    assert calibration.set_threshold is None
    assert prediction_sets(calibration, drawn(5, 0)[0]).all()
    assert prediction_sets(NOT_CALIBRATED, drawn(5, 0)[0]).all()


def test_a_class_that_a_fold_had_nothing_to_learn_from_counts_as_missed():
    scores, gold = drawn(100, 0)
    scores[:, 2] = -np.inf
    missed = (gold == 2).sum()
    assert missed > 10
    assert fit_calibration([scores], [gold]).set_threshold == 1.0


def test_the_shift_of_a_logit_adjustment_is_that_of_the_temperature():
    scores, gold = drawn(300, 0)
    shift = [0.5, 0.0, -1.0]
    adjusted = fit_calibration([scores], [gold], shift)
    assert (adjusted.temperature, adjusted.shift) == (fit_temperature([scores], [gold]).temperature, tuple(shift))
    plain = prediction_sets(fit_calibration([scores], [gold]), scores)
    assert (prediction_sets(adjusted, scores - np.array(shift)) == plain).all()
