"""Scores of runs, one each or one for all folds, shifted and cut to the runs that two rungs share."""

from __future__ import annotations

import numpy as np
import pytest

from wordworth.studies.worth.run_scores import CrossFittedScores, RunScores


def scores(runs, draws=6, seed=0):
    rng = np.random.default_rng(seed)
    return RunScores(rng.random(runs), rng.random((runs, draws)), rng.random((2, runs, draws)))


def test_single_runs_stacked_are_the_runs_of_one_rung():
    parts = [scores(1, seed=seed) for seed in range(3)]
    whole = RunScores.stacked(parts)
    assert whole.runs == 3
    for number, part in enumerate(parts):
        assert whole.point[number] == part.point[0]
        np.testing.assert_array_equal(whole.compared[:, number], part.compared[:, 0])


def test_a_rung_that_made_fewer_runs_is_compared_in_them():
    five, two = scores(5), scores(5).first(2)
    np.testing.assert_array_equal(two.by_draw, five.by_draw[:2])
    np.testing.assert_array_equal(two.as_first, five.as_first[:2])
    assert two.runs == 2


def test_a_shift_moves_every_score_and_every_resample():
    before, by_draw = scores(2), np.arange(6) / 100
    after = before.plus(0.1, by_draw)
    np.testing.assert_allclose(after.point, before.point + 0.1)
    np.testing.assert_allclose(after.as_second - before.as_second, [by_draw, by_draw])


def cross_fitted(seed, counts):
    return CrossFittedScores.of({count: scores(1, seed=seed + count) for count in counts}, np.full(max(counts), 0.5))


def test_folds_count_as_runs_and_have_one_score():
    whole = cross_fitted(0, (2, 5))
    assert (whole.runs, len(whole.point)) == (5, 1)
    assert whole.first(2).point[0] != whole.point[0]
    moved = whole.plus(0.1, np.zeros(6))
    assert moved.first(2).point[0] == pytest.approx(whole.first(2).point[0] + 0.1)
    assert moved.by_run == pytest.approx(np.full(5, 0.6))


def test_a_rung_of_two_folds_is_as_far_ahead_on_all_of_them():
    other, part = cross_fitted(0, (2, 5)), cross_fitted(10, (2,))
    extended = part.extended_by(other)
    assert extended.point[0] - other.point[0] == pytest.approx(part.point[0] - other.first(2).point[0])
    np.testing.assert_allclose(extended.by_draw - other.by_draw, part.by_draw - other.first(2).by_draw)
    assert extended.first(2) is part.first(2)
