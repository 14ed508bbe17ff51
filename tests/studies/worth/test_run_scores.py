"""Scores of runs, one each or one for all folds, shifted and cut to the runs that two rungs share."""

from __future__ import annotations

import numpy as np
import pytest

from wordworth.measures.bootstrap import item_weights
from wordworth.studies.worth.run_scores import CrossFittedScores, RunScores, regressed


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


def test_runs_moved_to_the_mean_of_all_differ_as_before():
    five = scores(5)
    two = five.about_mean(2)
    assert two.point.mean() == pytest.approx(five.point.mean())
    np.testing.assert_allclose(two.as_second.mean(axis=0) - two.by_draw.mean(axis=0),
                               (five.as_second - five.by_draw)[:2].mean(axis=0))  # fmt: skip
    assert two.point[1] - two.point[0] == pytest.approx(five.point[1] - five.point[0])
    assert five.about_mean(5) is five


def test_folds_count_as_runs_and_have_one_score():
    whole = CrossFittedScores.of(scores(1), np.full(5, 0.5))
    assert (whole.runs, len(whole.point)) == (5, 1)
    assert whole.first(2) is whole
    moved = whole.plus(0.1, np.zeros(6))
    assert moved.point[0] == pytest.approx(whole.point[0] + 0.1)
    assert moved.by_run == pytest.approx(np.full(5, 0.6))


def slow_regressed(part, others_on_part, others):
    """`regressed` with one rung's numbers after the other, by the textbook's sums."""
    draws = part.by_draw.shape[1]
    mean_part = [
        sum(row[draw] for row in others_on_part.by_draw) / len(others_on_part.by_draw) for draw in range(draws)
    ]
    mean_all = [sum(row[draw] for row in others.by_draw) / len(others.by_draw) for draw in range(draws)]
    own = list(part.by_draw[0])
    middle, own_middle = sum(mean_part) / draws, sum(own) / draws
    above = sum((x - middle) * (y - own_middle) for x, y in zip(mean_part, own, strict=True))
    slope = above / sum((x - middle) ** 2 for x in mean_part)
    moved = sum(others.point) / len(others.point) - sum(others_on_part.point) / len(others_on_part.point)
    by_draw = [y + slope * (all_ - x) for x, y, all_ in zip(mean_part, own, mean_all, strict=True)]
    return part.point[0] + slope * moved, by_draw


def test_a_regression_estimate_is_that_of_the_textbook():
    part, on_part, on_all = scores(1, 50, 1), scores(3, 50, 2), scores(3, 50, 3)
    estimated = regressed(part, on_part, on_all)
    point, by_draw = slow_regressed(part, on_part, on_all)
    assert estimated.point[0] == pytest.approx(point)
    np.testing.assert_allclose(estimated.by_draw[0], by_draw)
    np.testing.assert_allclose(estimated.as_first - part.as_first, estimated.by_draw - part.by_draw)


def test_the_slope_from_resamples_is_that_of_the_items():
    """Accuracy on 200 of 1,000 items: Cochran's estimate by the least squares slope over the items themselves."""
    rng = np.random.default_rng(0)
    ease = rng.standard_normal(1_000)
    own, other = (ease + rng.standard_normal((2, 1_000)) > -1).astype(float)
    weights = item_weights(1_000, 4_000, rng)

    def measured(right, items):
        on = weights[:, items]
        return RunScores(right[items].mean()[None], ((on @ right[items]) / on.sum(axis=1))[None])

    part, every = slice(200), slice(None)
    estimated = regressed(measured(own, part), measured(other, part), measured(other, every))
    slope = np.polyfit(other[part], own[part], 1)[0]
    assert estimated.point[0] == pytest.approx(own[part].mean() + slope * (other.mean() - other[part].mean()), abs=2e-4)
    spread = np.sqrt(np.var(own - slope * other) / 200 + slope**2 * np.var(other) / 1_000)
    assert estimated.by_draw.std() == pytest.approx(spread, rel=0.1)


def test_where_the_other_rungs_are_all_right_the_score_on_some_folds_stands():
    level = RunScores(np.ones(2), np.ones((2, 6)))
    part = scores(1)
    estimated = regressed(part, level, level)
    np.testing.assert_array_equal(estimated.by_draw, part.by_draw)


def test_an_estimate_is_never_beyond_the_best_possible_score_and_varies_as_before():
    draws = np.linspace(-0.1, 0.1, 6)[None]
    part, on_part = RunScores(np.array([0.98]), 0.98 + draws), RunScores(np.array([0.8]), 0.8 + draws)
    others = RunScores(np.array([0.85]), np.full((1, 6), 0.85))
    free, within = regressed(part, on_part, others), regressed(part, on_part, others, (0.0, 1.0))
    assert free.point[0] == pytest.approx(1.03)
    assert within.point[0] == pytest.approx(1.0)
    np.testing.assert_allclose(within.by_draw, free.by_draw - 0.03)
