"""A difference that is reported because it stands out is neither too large on average nor too sure."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import truncnorm

from wordworth.measures.selective_inference import corrected_estimate

WIDEST = 3.2905


def test_an_estimate_far_beyond_the_threshold_is_as_measured():
    corrected = corrected_estimate(10.0, 1.0, threshold=2.0)
    assert corrected.value == pytest.approx(10.0, abs=1e-6)
    assert (corrected.interval.low, corrected.interval.high) == pytest.approx((8.04, 11.96), abs=0.01)


def test_an_estimate_at_the_threshold_is_corrected_downwards_and_never_below_the_usual_interval_at_99_9_percent():
    corrected = corrected_estimate(2.01, 1.0, threshold=2.0)
    assert corrected.value < 0.5
    assert corrected.interval.low == pytest.approx(2.01 - WIDEST, abs=1e-3)


@given(measured=st.floats(-5, 20), threshold=st.floats(-10, 20), error=st.floats(0.01, 5))
def test_a_corrected_estimate_is_never_above_the_measured_one(measured, threshold, error):
    corrected = corrected_estimate(measured, error, threshold)
    assert corrected.value <= measured + 1e-6
    assert corrected.interval.low - 1e-6 <= corrected.value <= corrected.interval.high + 1e-6


def test_an_estimate_below_the_threshold_was_not_picked_because_of_it_and_is_as_measured():
    corrected = corrected_estimate(1.5, 1.0, threshold=2.0)
    assert corrected.value == pytest.approx(1.5, abs=1e-9)
    assert (corrected.interval.low, corrected.interval.high) == pytest.approx((1.5 - 1.96, 1.5 + 1.96), abs=1e-3)


def test_an_estimate_without_error_is_certain():
    corrected = corrected_estimate(0.3, 0.0, threshold=0.0)
    assert (corrected.value, corrected.interval.low, corrected.interval.high) == (0.3, 0.3, 0.3)


@pytest.mark.parametrize(("measured", "threshold", "error"), [(2.5, 2.0, 1.0), (0.3, -0.4, 0.2), (4.0, 1.0, 1.7)])
def test_the_truncated_normal_distribution_is_that_of_scipy(measured, threshold, error):
    corrected = corrected_estimate(measured, error, threshold)
    for value, share in ((corrected.interval.high, 0.975), (corrected.value, 0.5), (corrected.interval.low, 0.025)):
        if value > measured - WIDEST * error + 1e-6:
            exceeded = truncnorm.sf(measured, (threshold - value) / error, np.inf, value, error)
            assert exceeded == pytest.approx(share, abs=1e-6)


@pytest.mark.parametrize("true_value", [0.0, 0.4, 1.0, 2.0, 4.0])
def test_reported_estimates_are_covered_whatever_the_true_value(true_value):
    measured = np.random.default_rng(1).normal(true_value, 1.0, 60_000)
    picked = measured[measured > 2.0][:600]
    reported = [corrected_estimate(float(value), 1.0, 2.0) for value in picked]
    covered = np.mean([true_value in corrected.interval for corrected in reported])
    assert covered > 0.90
    above = np.mean([corrected.value > true_value for corrected in reported])
    assert true_value < 0.5 or 0.4 < above < 0.6
