"""Baselines by hand, and what they may read: no target of the visit itself, no answer of held-out patients."""

import numpy as np
import pytest
from tests.training.patient_visits.made_up import SPLIT, made_up_visits

from wordworth.measures.set_overlap import set_average_precision
from wordworth.progress import STILL
from wordworth.studies.medical_codes.baselines import BASELINES, FREQUENT, LAST, LOGISTIC, NEAREST, baselines
from wordworth.studies.medical_codes.patient_split import predicted_rows


@pytest.fixture(scope="module")
def answers():
    return {each.system: each for each in baselines(made_up_visits(), SPLIT, STILL)}


def test_there_is_one_run_of_each(answers):
    assert tuple(answers) == BASELINES
    for each in answers.values():
        assert (each.valid.shape, each.test.shape) == ((1, 10, 3), (1, 10, 3))


def test_the_most_frequent_codes_have_their_share_of_training_visits(answers):
    visits = made_up_visits()
    shares = visits.targets.flags[predicted_rows(visits, SPLIT.train)].mean(0)
    assert answers[FREQUENT].test[0] == pytest.approx(np.tile(shares, (10, 1)))


def test_the_last_visit_is_that_of_the_same_patient(answers):
    visits = made_up_visits()
    rows = predicted_rows(visits, SPLIT.test)
    assert ((answers[LAST].test[0] > 0.05) == visits.targets.flags[rows - 1]).all()


def test_logistic_regression_learns_that_an_input_is_a_target(answers):
    visits = made_up_visits()
    truth = visits.targets.flags[predicted_rows(visits, SPLIT.test)]
    precision = {name: set_average_precision(truth, answers[name].test[0]).mean() for name in BASELINES}
    assert precision[LOGISTIC] > precision[FREQUENT]
    scores = answers[LOGISTIC].test[0][:, 0]
    assert scores[truth[:, 0]].min() > scores[~truth[:, 0]].max()
    assert answers[LOGISTIC].chosen[0].startswith("C = ")


def test_targets_of_test_visits_change_no_answer_but_that_of_the_visit_after():
    visits, last = made_up_visits(), predicted_rows(made_up_visits(), SPLIT.test)[1::2]
    before = {each.system: each.test for each in baselines(visits, SPLIT, STILL)}
    visits.targets.flags[last] = ~visits.targets.flags[last]
    for each in baselines(visits, SPLIT, STILL):
        assert each.test == pytest.approx(before[each.system]), each.system


def test_the_nearest_visit_of_equal_features_answers():
    visits = made_up_visits()
    for flags in (visits.inputs.flags, visits.targets.flags):
        flags[visits.patient == 25] = flags[visits.patient == 0]
    nearest = next(each for each in baselines(visits, SPLIT, STILL) if each.system == NEAREST)
    if nearest.chosen == ("1 neighbour",):
        assert ((nearest.test[0][:2] > 0.5) == visits.targets.flags[[1, 2]]).all()
    assert nearest.test.max() <= 1.01
