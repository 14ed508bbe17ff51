"""Intervals hold the truth as often as they promise (reference figures: 93 to 97 % with 5 and 10 runs)."""

import numpy as np
import pytest

from wordworth.measures.coverage import Design, coverage, truth
from wordworth.measures.intervals import crossed, items_only, resampled, runs_only

METHODS = {"items": items_only, "runs": runs_only, "both": resampled, "crossed": crossed}


def test_equal_systems_differ_by_nothing_and_an_advantage_shows():
    assert truth(Design(runs=5)) == 0
    assert 0.03 < truth(Design(runs=5, advantage=0.5)) < 0.08


def test_crossed_intervals_cover_and_simpler_ones_do_not():
    found = coverage(Design(runs=5, draws=200), METHODS, 200, np.random.default_rng(0))
    assert 0.90 <= found["crossed"] <= 0.99
    assert found["items"] < 0.90
    assert found["runs"] < 0.92
    assert found["both"] >= found["crossed"] - 0.01


@pytest.mark.slow
@pytest.mark.parametrize("runs", [5, 10])
@pytest.mark.parametrize("advantage", [0.0, 0.4])
def test_a_thousand_intervals_cover_between_93_and_97_percent(runs, advantage):
    found = coverage(Design(runs=runs, advantage=advantage), {"crossed": crossed}, 1000, np.random.default_rng(runs))
    assert 0.93 <= found["crossed"] <= 0.97
