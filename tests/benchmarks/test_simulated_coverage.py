"""Intervals hold the truth as often as they promise: 93 to 97 % with 5 and 10 runs."""

import numpy as np
import pytest

from simulated_coverage import Design, coverage, percentiles, resampled, truth
from wordworth.measures.bootstrap import crossed, crossed_interval, items_only, runs_only

METHODS = {
    "items": percentiles(items_only),
    "runs": percentiles(runs_only),
    "both": percentiles(resampled),
    "crossed": percentiles(crossed),
    "corrected": crossed_interval,
}
PLAIN = {name: METHODS[name] for name in ("crossed", "corrected")}


def test_equal_systems_differ_by_nothing_and_an_advantage_shows():
    assert truth(Design(runs=5)) == 0
    assert 0.03 < truth(Design(runs=5, advantage=0.5)) < 0.08


def test_crossed_intervals_cover_and_simpler_ones_do_not():
    shares = coverage(Design(runs=5, draws=200), METHODS, 200, np.random.default_rng(0))
    assert 0.90 <= shares["crossed"] <= 0.99
    assert 0.90 <= shares["corrected"] <= 0.99
    assert shares["items"] < 0.90
    assert shares["runs"] < 0.92
    assert shares["both"] >= shares["crossed"] - 0.01


def test_the_correction_mends_what_few_runs_hide():
    shares = coverage(Design(runs=3, items=2000, draws=200, run_spread=0.3), PLAIN, 150, np.random.default_rng(0))
    assert shares["crossed"] < 0.90 <= shares["corrected"]


@pytest.mark.slow
@pytest.mark.parametrize("runs", [5, 10])
@pytest.mark.parametrize("advantage", [0.0, 0.4])
def test_a_thousand_intervals_cover_between_93_and_97_percent(runs, advantage):
    shares = coverage(Design(runs=runs, advantage=advantage), PLAIN, 1000, np.random.default_rng(runs))
    assert 0.93 <= shares["corrected"] <= 0.97
    assert 0.93 <= shares["crossed"] <= 0.97
