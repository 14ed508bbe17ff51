"""The temperature restores probabilities whose truth is known, and moves no prediction."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax
from sklearn.metrics import log_loss
from tests.representations.heads.test_grid_search import HEAD, TFIDF, made_up

from wordworth.measures.bootstrap import item_weights
from wordworth.measures.calibration import calibration_error
from wordworth.measures.log_loss_and_brier import log_losses
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.cross_validation import cross_validation
from wordworth.representations.heads.fold_models import Candidate
from wordworth.representations.heads.grid_search import GridSearch
from wordworth.representations.heads.temperature_scaling import (
    NOT_CALIBRATED,
    Calibration,
    calibrated_log_loss,
    calibration_of,
    fit_temperature,
)
from wordworth.representations.rung import RunContext


def drawn(items, seed, classes=3):
    """Scores whose softmax is true, and classes drawn from it."""
    rng = np.random.default_rng(seed)
    scores = 2 * rng.normal(size=(items, classes))
    gold = (softmax(scores, axis=1).cumsum(1) > rng.random((items, 1))).argmax(1)
    return scores, gold


@pytest.mark.parametrize("true", [0.5, 1.0, 2.5])
@pytest.mark.parametrize("classes", [2, 5])
def test_the_temperature_of_scores_that_are_off_by_a_factor_is_found(true, classes):
    found = [
        fit_temperature([true * scores], [gold]).temperature
        for scores, gold in (drawn(1_000, seed, classes) for seed in range(20))
    ]
    assert np.mean(found) == pytest.approx(true, rel=0.05)


def test_overconfident_probabilities_are_found_and_restored_on_new_texts():
    learned, new = drawn(800, 0), drawn(2_000, 1)
    weights = item_weights(2_000, 200, np.random.default_rng(0))

    def error(calibration):
        probabilities = calibration.probabilities(3 * new[0])
        right = probabilities.argmax(1) == new[1]
        return calibration_error(probabilities.max(1)[None], right[None], weights)

    before, after = error(NOT_CALIBRATED), error(fit_temperature([3 * learned[0]], [learned[1]]))
    assert before.span.low > 0.1
    assert after.span.low < 0.01
    assert after.value < 0.03


def test_logarithms_of_probabilities_hold_where_the_probabilities_are_too_small_to_write():
    calibration, scores = Calibration(0.5, 10, (0.0, 1.0)), np.array([[0.0, 2.0], [0.0, -2_000.0]])
    found = calibration.log_probabilities(scores)
    assert np.exp(found[0]) == pytest.approx(calibration.probabilities(scores)[0])
    assert found[1] == pytest.approx([0.0, -3_998.0])


@given(st.integers(0, 10_000), st.floats(0.1, 5))
def test_the_log_loss_of_the_held_out_items_has_no_better_temperature(seed, factor):
    scores, gold = drawn(60, seed)
    found = fit_temperature([factor * scores], [gold])

    def loss(temperature):
        return log_losses(gold, Calibration(temperature).probabilities(factor * scores)).mean()

    # one item more counts: it moves the optimum a little, and the loss by less than its share
    assert loss(found.temperature) <= min(loss(found.temperature * step) for step in (0.7, 1.0, 1.4)) + 0.02
    assert found.held_out == 60


@given(st.integers(0, 10_000), st.floats(0.05, 20))
def test_no_temperature_changes_which_class_is_most_probable(seed, temperature):
    scores, _ = drawn(20, seed)
    probabilities = Calibration(temperature).probabilities(scores)
    assert (probabilities.argmax(1) == scores.argmax(1)).all()
    assert probabilities.sum(1) == pytest.approx(1)


def test_items_that_are_all_right_do_not_ask_for_certainty():
    scores = np.array([[1.0, -1.0], [-1.0, 1.0]] * 10)
    found = fit_temperature([scores], [scores.argmax(1)])
    assert found.probabilities(scores).max() == pytest.approx(1 - 0.5 / 21, abs=1e-3)


def test_what_a_fold_could_not_learn_and_equal_scores_do_not_count():
    scores, gold = drawn(200, 0)
    unseen = np.array([[0.5, 1.0, -np.inf], [0.0, 0.0, 0.0], [3.0, -np.inf, -np.inf]])
    with_unseen = fit_temperature([scores, unseen], [gold, np.array([2, 1, 0])])
    assert with_unseen == fit_temperature([scores], [gold])
    assert fit_temperature([unseen], [np.array([2, 1, 0])], [0.5, 0, 0]) == Calibration(shift=(0.5, 0, 0))


@pytest.mark.parametrize("classes", [2, 5])
def test_the_log_loss_is_that_of_scikit_learn_at_the_fitted_temperature(classes):
    scores, gold = drawn(2_000, 1, classes)
    folds = ([scores[:500], scores[500:]], [gold[:500], gold[500:]])
    at_best = log_loss(gold, fit_temperature(*folds).probabilities(scores))
    assert calibrated_log_loss(*folds) == pytest.approx(at_best, abs=0.002)  # one item more of 2,001
    assert calibrated_log_loss([3 * scores], [gold]) == pytest.approx(at_best, abs=0.002)
    assert calibrated_log_loss([np.zeros((4, classes))], [np.zeros(4, int)]) == 0


def test_a_logit_adjustment_is_taken_back():
    scores, _ = drawn(10, 0)
    shift = np.array([0.5, -0.5, 1.0])
    adjusted = Calibration(2.0, 10, tuple(shift.tolist())).probabilities(scores - shift)
    assert np.allclose(adjusted, Calibration(2.0).probabilities(scores))


def test_infinite_scores_are_certain_and_never_undefined():
    scores = np.array([[np.inf, 0.0], [-np.inf, 0.0], [-np.inf, -np.inf], [np.inf, np.inf]])
    assert np.allclose(Calibration(3.0).probabilities(scores), [[1, 0], [0, 1], [0.5, 0.5], [0.5, 0.5]])


def test_what_knows_no_calibration_has_none():
    assert calibration_of(object()) == NOT_CALIBRATED


@pytest.mark.parametrize("metric", ["accuracy", "macro_f1"])
def test_the_head_fits_it_on_the_folds_of_its_choice_and_keeps_it_out_of_what_it_chose(metric):
    task = made_up(metric=metric)
    learner, rows = TFIDF.prepare(task, RunContext()), task.train
    predictor = learner.fit(rows, np.random.default_rng(0))
    calibration, chosen = calibration_of(predictor), predictor.chosen
    assert set(chosen) == {"view", "strength", "tau", "converged"}
    assert (calibration.held_out, len(calibration.shift)) == (240, 3 * (metric != "accuracy" and chosen["tau"] != 0))
    candidate = Candidate(chosen["view"], chosen["strength"])
    splits = HEAD.plan.split(Target.of(task, rows), np.random.default_rng(5))
    search = GridSearch(cross_validation(learner.fold, Target.of(task, rows), splits))
    search.scores([candidate])
    by_other_folds = search.calibration(candidate).temperature
    assert calibration.temperature == pytest.approx(by_other_folds, rel=0.25)


def test_numbers_have_no_temperature_and_neither_has_a_single_label():
    task = made_up("regression", "r2")
    assert calibration_of(TFIDF.prepare(task, RunContext()).fit(task.train, np.random.default_rng(0))) == NOT_CALIBRATED
    task = made_up()
    one = TFIDF.prepare(task, RunContext()).fit(task.train[:1], np.random.default_rng(0))
    assert calibration_of(one) == NOT_CALIBRATED
