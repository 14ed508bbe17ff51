"""Tests of a difference, by their published numbers."""

import numpy as np
import pytest

from parts import significance
from wordworth.measures.label_multiples import Multiple


def test_cells_of_one_task_count_together():
    rng = np.random.default_rng(0)
    apart = np.ones((7, 1))
    assert significance.cluster_permutation(apart, 0, rng) == 2 / 128
    assert significance.cluster_permutation(np.ones((7, 6)), 0, rng) == 2 / 128
    assert significance.cluster_permutation(np.ones((1, 42)), 0, rng) == 1


def test_missing_cells_are_left_out_and_many_tasks_are_drawn():
    rng = np.random.default_rng(0)
    cells = np.where(rng.random((30, 3)) < 0.2, np.nan, 1.0)
    assert significance.cluster_permutation(cells, 999, rng) == 1 / 1000
    with pytest.raises(ValueError, match="no cells"):
        significance.cluster_permutation(np.zeros((0, 3)), 9, rng)


def test_a_true_null_is_rejected_as_rarely_as_promised():
    rng = np.random.default_rng(0)
    p = [
        significance.cluster_permutation(rng.normal(0, 1, (8, 1)) + rng.normal(0, 1, (8, 5)), 0, rng)
        for _ in range(400)
    ]
    assert np.mean(np.array(p) <= 0.05) < 0.08


def test_survival_over_tasks_keeps_the_censored_at_risk():
    tasks = [*(Multiple(v, "exact") for v in (2, 4, 8)), Multiple(4, "more than"), Multiple(8, "more than")]
    assert significance.survival(tasks) == [
        (2, pytest.approx(0.8)),
        (4, pytest.approx(0.6)),
        (8, pytest.approx(0.3)),
    ]
    assert significance.survival_median(tasks) == 8
    assert significance.survival_median([Multiple(one.value, "exact") for one in tasks]) == 4


def test_a_survival_median_hidden_by_censoring_is_infinite():
    tasks = [Multiple(2, "exact"), Multiple(np.inf, "never"), Multiple(4, "more than")]
    assert significance.survival(tasks) == [(2, pytest.approx(2 / 3))]
    assert significance.survival_median(tasks) == np.inf
