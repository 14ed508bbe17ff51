"""Intervals of few runs: as wide as what is known of the variance between runs makes them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from wordworth.measures.bootstrap import run_variance
from wordworth.measures.intervals_from_few_runs import RunVariance, few_runs_interval


def test_a_prior_and_samples_are_pooled_by_their_degrees_of_freedom():
    pooled = RunVariance(4.0, 4.0).pooled([RunVariance(2.0, 1.0)])
    assert (pooled.value, pooled.degrees_of_freedom) == pytest.approx(((4 * 4 + 2) / 5, 5))
    assert RunVariance(4.0, 4.0).pooled([]) == RunVariance(4.0, 4.0)


def test_one_run_on_endless_items_has_students_interval_of_the_prior():
    interval = few_runs_interval(np.full((1, 100), 0.8), RunVariance(0.01**2, 4))
    half_width = 0.01 * stats.t.ppf(0.975, 4)
    assert (interval.low, interval.high) == pytest.approx((0.8 - half_width, 0.8 + half_width))


def test_items_alone_have_a_normal_interval():
    draws = np.random.default_rng(0).normal(0.8, 0.02, (1, 50_000))
    interval = few_runs_interval(draws, RunVariance(0.0, 4))
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * 0.02, rel=0.02)


@pytest.mark.parametrize("runs", [1, 2, 3])
def test_the_interval_covers_where_data_sets_differ_as_the_prior_says(runs):
    """Deviations between runs are drawn from the prior, then runs with that deviation, on items with an error."""
    rng, covered = np.random.default_rng(runs), []
    for _ in range(1_500):
        deviation = 0.011 * np.sqrt(4 / rng.chisquare(4))
        point = rng.normal(0, deviation, runs)
        draws = point[:, None] + rng.normal(rng.normal(0, 0.01), 0.01, 300)
        seen = [RunVariance(run_variance(point, draws), runs - 1)] if runs > 1 else []
        covered.append(0 in few_runs_interval(draws, RunVariance(0.011**2, 4).pooled(seen)))
    assert 0.925 < np.mean(covered) < 0.975


def test_rungs_that_answer_alike_in_every_run_have_an_interval_without_width():
    span = few_runs_interval(np.full((1, 100), 0.5), RunVariance(0.0, 4.0))
    assert (span.low, span.high) == (0.5, 0.5)
