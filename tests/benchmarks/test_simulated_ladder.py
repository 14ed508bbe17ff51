"""The simulated world in which the verdict is tested has the accuracies that it claims."""

import numpy as np
import pytest

from simulated_ladder import LABELS, SimulatedRung, SimulatedStudy, accuracy_of


@pytest.mark.parametrize("run_sd", [0.0, 0.005, 0.02])
@pytest.mark.parametrize("accuracy", [0.55, 0.8, 0.97])
def test_the_latent_level_stands_for_the_accuracy(accuracy, run_sd):
    assert accuracy_of(SimulatedRung("a", "counts", accuracy, run_sd=run_sd)) == pytest.approx(accuracy)


def test_answers_are_right_as_often_as_the_accuracy_says():
    rung = SimulatedRung("a", "counts", 0.8, runs=50, run_sd=0.01)
    right = SimulatedStudy((rung,), 4_000).right(np.random.default_rng(0))["a"]
    by_run = right.mean(axis=1)
    assert by_run.mean() == pytest.approx(0.8, abs=0.02)
    assert by_run.std() == pytest.approx(0.01, abs=0.005)


def test_errors_are_nested_where_the_items_alone_decide():
    rungs = (SimulatedRung("worse", "counts", 0.7, run_sd=0.0), SimulatedRung("better", "frozen", 0.8, run_sd=0.0))
    right = SimulatedStudy(rungs, 500, item_share=1.0, rung_share=0.0).right(np.random.default_rng(0))
    assert (right["worse"] <= right["better"]).all()


def test_scores_are_the_projects_own():
    rungs = (SimulatedRung("cheap", "counts", 0.6), SimulatedRung("costly", "frozen", 0.9))
    study = SimulatedStudy(rungs, 800, draws=200)
    right = study.right(np.random.default_rng(0))
    scores = study.scores(right, 0)
    assert scores.gap("costly", "cheap", LABELS) == pytest.approx(right["costly"].mean() - right["cheap"].mean())
    assert study.verdict(scores).answer == "contextual is worth it"
