"""What the next labels save: held to worlds in which the cost with any number of labels is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import logit
from tests.studies.fake_ladder import MAJORITY, constant, task
from tests.studies.worth.test_expected_costs import RARE, SHARE, true_cost
from tests.studies.worth.test_probability_scores import KnownRung

from wordworth.measures.bootstrap import Interval
from wordworth.measures.metrics import metric
from wordworth.representations.heads.temperature_scaling import Calibration
from wordworth.studies.worth.expected_costs import ExpectedCosts
from wordworth.studies.worth.label_grid import LabelGrid
from wordworth.studies.worth.rung_result import Run, RungResult
from wordworth.studies.worth.score_predictions import measure
from wordworth.studies.worth.scores import Bootstrap
from wordworth.studies.worth.study_result import StudyResult
from wordworth.studies.worth.value_of_labels import ValueOfLabels, value_of_labels

SIZES, RUNS, ITEMS, STUDIES = (50, 100, 200, 400), 3, 400, 100


def lead(labels, growth):
    """Half the distance of the means of two classes' scores: it grows with the labels, or not at all."""
    return 1.3 - growth * (labels / 50) ** -0.7


def simulated(seed, growth):
    """The costs of a rung whose probabilities are the true ones at each number of labels."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(2 * ITEMS) < SHARE).astype(np.int64)
    made = replace(task(2 * ITEMS), labels=labels, train=np.arange(ITEMS), test=np.arange(ITEMS, 2 * ITEMS))
    signs, shared = 2 * labels[made.test] - 1, rng.normal(size=ITEMS)
    runs = []
    for size in SIZES:
        for run in range(RUNS):
            noise = np.sqrt(0.9) * shared + np.sqrt(0.1) * rng.normal(size=ITEMS)
            half = lead(size, growth)
            scores = np.stack([np.zeros(ITEMS), 2 * half * (noise + half * signs)], axis=1)
            calibration = Calibration(shift=(0.0, float(logit(SHARE))))
            runs.append(Run("learns", size, run, scores, {}, 0.0, calibration=calibration))
    always = np.stack([np.ones(ITEMS), np.zeros(ITEMS)], axis=1)
    constants = [Run("majority", size, 0, always, {}, 0.0) for size in SIZES]
    results = [RungResult(MAJORITY, runs=constants), RungResult(KnownRung("learns", "counts", constant(0)), runs=runs)]
    scores = measure(results, made, metric("accuracy", made.classes), Bootstrap(200, seed))
    return ExpectedCosts(StudyResult(made, LabelGrid(SIZES, ()), results, scores, 0.01), RARE)


@pytest.mark.parametrize("growth", [0.0, 0.4, 0.8])
def test_the_interval_holds_what_a_hundred_labels_save(growth):
    truth = true_cost(lead(400, growth)) - true_cost(lead(500, growth))
    values = [value_of_labels(simulated(seed, growth), 0.04) for seed in range(STUDIES)]
    held = np.mean([truth in value.interval for value in values])
    assert held >= 0.9
    if not growth:
        assert np.mean([value.texts is not None for value in values]) <= 0.05


def test_labels_are_paid_for_after_as_many_texts_as_their_price_is_savings_of():
    value = ValueOfLabels(2.0, Interval(1.0, 3.0), price=4.0)
    assert value.texts == pytest.approx(2_000)
    assert value.sentence("TF-IDF + linear", "$") == (
        "By a curve fitted to its costs with fewer labels, 100 more labels would save TF-IDF + linear about $2 for "
        "1,000 texts (95 %: $1 to $3); they cost $4, which is saved after some 2,000 texts."
    )


def test_too_few_numbers_of_labels_have_no_curve():
    costs = simulated(0, 0.4)
    few = [replace(each, runs=[run for run in each.runs if run.labels > 50]) for each in costs.study.rung_results]
    scores = measure(few, costs.study.task, metric("accuracy", costs.study.task.classes), Bootstrap(200, 0))
    study = StudyResult(costs.study.task, LabelGrid(SIZES[1:], ()), few, scores, 0.01)
    assert value_of_labels(ExpectedCosts(study, RARE), 0.04) is None
