"""Calibrated weights: a sample shows the known mean exactly, and estimates err by what the controls leave unsaid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.measures.bootstrap import item_weights
from wordworth.measures.calibrated_sampling_weights import (
    ROWS_PER_CONTROL,
    calibration_factors,
    population_means,
    usable_controls,
)

DRAWS = 400


def population(rows, rng):
    """Control variables of a population, mean 0, and an outcome that they foretell in part."""
    controls = rng.standard_normal((rows, 2))
    controls -= controls.mean(axis=0)
    return controls, 0.3 + controls @ [0.8, -0.5] + 0.5 * rng.standard_normal(rows)


@given(st.integers(0, 1_000), st.floats(-0.2, 0.2))
def test_the_weighted_means_are_those_asked_for(seed, mean):
    rng = np.random.default_rng(seed)
    controls, weights = population(120, rng)[0], rng.uniform(1, 3, (3, 120))
    factors = calibration_factors(weights, controls, np.full((3, 2), mean))
    if (factors > 0).all():
        calibrated = weights * factors
        np.testing.assert_allclose(calibrated.sum(axis=1), weights.sum(axis=1))
        np.testing.assert_allclose(calibrated @ controls / calibrated.sum(axis=1, keepdims=True), mean, atol=1e-9)
    assert (factors >= 0).all()


def test_an_estimate_is_the_regression_estimate():
    """The mean at the controls' known mean of the line that weighted least squares puts through the sample."""
    rng = np.random.default_rng(0)
    controls, outcome = population(200, rng)
    weights = rng.uniform(1, 3, 200)
    calibrated = weights * calibration_factors(weights[None], controls, np.zeros((1, 2)))[0]
    root = np.sqrt(weights)[:, None]
    design = np.column_stack([np.ones(200), controls])
    line = np.linalg.lstsq(root * design, root[:, 0] * outcome, rcond=None)[0]
    assert calibrated @ outcome / calibrated.sum() == pytest.approx(line[0])


def test_a_control_variable_that_does_not_vary_changes_nothing():
    weights = np.random.default_rng(0).uniform(1, 3, (2, 50))
    np.testing.assert_allclose(calibration_factors(weights, np.full((50, 1), 0.3), np.zeros((2, 1))), 1)


def test_no_row_counts_against_what_it_shows():
    """The mean asked for is beyond all rows."""
    controls = np.linspace(1, 2, 30)[:, None]
    factors = calibration_factors(np.ones((1, 30)), controls, np.zeros((1, 1)))
    assert factors.min() == 0


def test_each_control_variable_wants_so_many_rows():
    controls = np.arange(3 * 50.0).reshape(50, 3)
    np.testing.assert_array_equal(usable_controls(controls), controls[:, : 50 // ROWS_PER_CONTROL])
    assert usable_controls(controls[: ROWS_PER_CONTROL - 1]).shape[1] == 0


def test_population_means_vary_as_means_of_as_many_rows_as_the_weights_stand_for():
    rng = np.random.default_rng(0)
    controls = rng.standard_normal((500, 2)) @ [[2.0, 1.0], [0.0, 1.0]]
    means = population_means(np.full(500, 4.0), controls, 20_000, rng)
    np.testing.assert_allclose(np.cov(means.T), controls.T @ controls / 500 / 2_000, rtol=0.06)


def simulated(rows_drawn, rng):
    """One sample of a population of 1,000 that is itself drawn: plain and calibrated estimate, and its interval."""
    controls, outcome = population(1_000, rng)
    outcome = outcome + (rng.standard_normal(2) @ [0.8, -0.5]) / np.sqrt(1_000)  # the mean of its controls is not 0
    probabilities = rows_drawn * (0.3 + (outcome > 0)) / (0.3 + (outcome > 0)).sum()
    drawn = np.flatnonzero(rng.random(1_000) < probabilities)
    weights, known, seen = 1 / probabilities[drawn], controls[drawn], outcome[drawn]
    point = weights * calibration_factors(weights[None], known, np.zeros((1, 2)))[0]
    resampled = item_weights(len(drawn), DRAWS, rng) * weights
    means = population_means(weights, known, DRAWS, rng)
    each = resampled * calibration_factors(resampled, known, means)
    estimate, error = point @ seen / point.sum(), (each @ seen / each.sum(axis=1)).std()
    return weights @ seen / weights.sum(), estimate, abs(estimate - 0.3) < 1.96 * error


@pytest.mark.slow
def test_estimates_are_unbiased_vary_less_and_their_intervals_hold():
    """True mean 0.3 of all rows to come; 100 of a pool of 1,000 are drawn, those with larger outcomes oftener."""
    rng = np.random.default_rng(0)
    plain, calibrated, held = map(np.array, zip(*(simulated(100, rng) for _ in range(800)), strict=True))
    assert calibrated.mean() == pytest.approx(0.3, abs=4 * calibrated.std() / np.sqrt(800))
    assert calibrated.var() < 0.5 * plain.var()
    assert 0.925 <= held.mean() <= 0.97
