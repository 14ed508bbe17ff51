"""The simulated study of a rung in few folds: its luck is as large as is said, its scores and gaps agree or not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from few_folds import RUN_SD, TUNED, Design, both_scores, figures

DESIGN = Design(rows=100, folds=1, whole=3, advantage=0.0)


def test_runs_differ_by_as_many_points_as_is_said():
    level, spread = DESIGN.rungs[-1].latent
    luck = DESIGN.luck(np.random.default_rng(0).standard_normal(10_000))
    assert np.std(ndtr((level + luck) / np.hypot(1, spread))) == pytest.approx(RUN_SD, rel=0.05)


def test_the_true_score_is_the_mean_over_runs_and_labels():
    level, spread = DESIGN.rungs[-1].latent
    labels, runs = np.random.default_rng(0).standard_normal((2, 200_000))
    accuracies = ndtr(level + spread * labels + DESIGN.luck(runs))
    assert DESIGN.truth[TUNED] == pytest.approx(accuracies.mean(), abs=1e-3)


@pytest.mark.slow
def test_gaps_agree_with_scores_by_one_estimator_and_not_always_by_two():
    shares = {"regression": 0.0, "common folds": 0.0}
    for number in range(20):
        by_estimator, labels = both_scores(DESIGN, number)
        for name, scores in by_estimator.items():
            shares[name] += figures(DESIGN, scores, labels)["contradicts"]
    assert shares["regression"] == 0
    assert shares["common folds"] > 0
