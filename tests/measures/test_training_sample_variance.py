"""How far a score would vary over other labels, from runs on subsets of these."""

from __future__ import annotations

import numpy as np
import pytest

from wordworth.measures.intervals_from_few_runs import RunVariance
from wordworth.measures.training_sample_variance import (
    PRIOR_DEGREES,
    PRIOR_SHARE,
    RowCounts,
    SubsetRuns,
    label_variance,
)

ROWS = 1_000


def subset_runs(labels, rng, runs=5, luck_sd=0.0):
    """Runs whose score is the mean of one number a label, on random subsets; each also has luck with its items."""
    values = rng.standard_normal(ROWS)
    point = np.array([values[rng.choice(ROWS, labels, replace=False)].mean() for _ in range(runs)])
    luck = luck_sd * rng.standard_normal(runs)
    by_draw = (point + luck)[:, None] + luck_sd * rng.standard_normal((runs, 500))
    return SubsetRuns.of(labels, point + luck, by_draw)


@pytest.mark.parametrize("labels", [100, 200, 400])
@pytest.mark.parametrize("luck_sd", [0.0, 0.05])
def test_subsets_of_these_labels_give_the_variance_over_fresh_ones(labels, luck_sd):
    """A mean of 800 numbers has the variance 1 / 800, however few of a thousand each subset holds."""
    rng = np.random.default_rng(labels)
    found = [subset_runs(labels, rng, luck_sd=luck_sd).label_variance(800, ROWS, 1 / 800).value for _ in range(2_000)]
    assert np.mean(found) == pytest.approx(1 / 800, rel=0.1)


def test_runs_that_are_mostly_luck_say_less_than_the_prior():
    rng = np.random.default_rng(0)
    sure, unsure = (subset_runs(400, rng, luck_sd=luck).label_variance(800, ROWS, 1 / 800) for luck in (0.0, 0.2))
    assert sure.degrees_of_freedom == 2.0
    assert unsure.degrees_of_freedom < 0.1


def test_without_runs_on_fewer_labels_the_prior_stands_alone():
    found = label_variance([], 800, RowCounts(ROWS, ROWS), 0.0004)
    assert found == RunVariance(PRIOR_SHARE * 0.0004 * ROWS / 800, PRIOR_DEGREES)


def test_a_variance_is_never_negative():
    alike = SubsetRuns(400, variance=0.0, luck=0.0002, degrees_of_freedom=4)
    found = label_variance([alike] * 50, 800, RowCounts(ROWS, ROWS), 0.0004)
    assert found.value == 0.0


def test_rungs_that_agree_on_every_item_do_not_depend_on_the_labels():
    assert label_variance([], 800, RowCounts(ROWS, ROWS), 0.0).value == 0.0
