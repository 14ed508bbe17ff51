"""The simulated study of how far runs in few folds differ: its leads and its luck are what is said of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr

from few_fold_runs import RUNS, Study, figures, with_true_lead
from few_folds import TUNED, Design, tuned_runs
from wordworth import seeds
from wordworth.studies.worth.rung_result import RungResult


@pytest.mark.parametrize(("run_sd", "tails"), RUNS.values())
def test_the_lead_and_the_spread_of_runs_are_those_asked_for(run_sd, tails):
    design = with_true_lead(Design(300, 3, 3, 0.0, run_sd=run_sd, tails=tails), 0.012)
    assert design.truth[TUNED] - design.best == pytest.approx(0.012, abs=1e-12)
    rng = np.random.default_rng(0)
    student = rng.standard_normal(400_000) if np.isinf(tails) else rng.standard_t(tails, 400_000)
    level, spread = design.rungs[-1].latent
    accuracies = ndtr((level + design.luck(student)) / np.hypot(1, spread))
    assert accuracies.mean() == pytest.approx(design.truth[TUNED], abs=2e-4)
    assert accuracies.std() == pytest.approx(run_sd, rel=0.1)


def test_scores_are_those_of_all_rungs_measured_together():
    design = Design(100, 3, 3, 0.01)
    study = Study(design, 5)
    rng = seeds.child(5, TUNED, design.folds, str(design.run_sd), str(design.tails))
    made = tuned_runs(study.world, design, study.grid, study.task, rng)
    together = study.measured([*study.others, RungResult(design.rungs[-1], runs=made)])
    apart, labels = study.scores(design), study.grid.top
    for pair in ((TUNED, "cheap-0"), ("frozen-0", "cheap-0")):
        assert apart.gap_interval(*pair, labels) == together.gap_interval(*pair, labels)


def test_figures_say_which_answers_are_false():
    design = with_true_lead(Design(100, 1, 3, 0.0), 0.0)
    found = figures(Study(design, 1), design)
    assert {name for name in found if name.startswith("false")} == {
        "false cheap suffices",
        "false contextual is ahead",
        "false contextual is worth it",
    }
    assert 0 <= found["gap covered"] <= 1
