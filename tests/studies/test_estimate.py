"""An estimate is a mean over runs with its interval, and says in words whether it differs from 0."""

import numpy as np
import pytest

from wordworth.measures.bootstrap import Interval, crossed_interval, run_picks
from wordworth.studies.estimate import Estimate


@pytest.mark.parametrize(
    ("value", "significant", "words"),
    [
        (0.1, True, "surely ahead of"),
        (-0.1, True, "surely behind"),
        (0.1, False, "not surely different from"),
    ],
)
def test_words_follow_the_sign_of_a_significant_difference_alone(value, significant, words):
    estimate = Estimate(value, Interval(value - 0.05, value + 0.05), significant)
    assert estimate.comparison() == words
    own = estimate.comparison("above", "below")
    assert own == {"surely ahead of": "above", "surely behind": "below"}.get(words, words)


def test_a_difference_is_stated_in_points_with_its_interval():
    assert Estimate(0.012, Interval(-0.003, 0.03), False).in_points() == "+1.2 points (95 %: −0.3 to +3.0)"


@pytest.mark.parametrize("shift", [-0.1, 0.0, 0.1])
def test_the_interval_is_crossed_over_runs_and_items_and_is_significant_where_it_leaves_out_0(shift):
    rng = np.random.default_rng(2)
    point = rng.normal(shift, 0.005, size=4)
    by_draw = point[:, None] + rng.normal(0, 0.005, size=(4, 300))
    picks = run_picks(4, 300, np.random.default_rng(3))
    estimate = Estimate.of(point, by_draw, picks, value_range=(-1.0, 1.0))
    assert estimate.value == pytest.approx(point.mean())
    assert estimate.interval == crossed_interval(point, by_draw, picks, value_range=(-1.0, 1.0))
    assert estimate.is_significant is (shift != 0.0)


def test_with_more_comparisons_a_difference_must_be_surer():
    by_draw = np.random.default_rng(0).normal(0.021, 0.0095, size=(1, 4_000))
    picks = np.zeros((4_000, 1), np.int64)
    point = np.array([0.021])
    assert [Estimate.of(point, by_draw, picks, comparisons=n).is_significant for n in (1, 20)] == [True, False]
