"""Rounds alternate between the two parts from any step on, and a training learns what the made-up visits say."""

from itertools import islice

import numpy as np
import pytest
from tests.training.patient_visits.made_up import SPLIT, made_up_visits, settings

from wordworth.measures.set_overlap import set_average_precision
from wordworth.progress import STILL
from wordworth.studies.medical_codes.patient_split import predicted_rows
from wordworth.training.patient_visits.alternating_training import alternation, train
from wordworth.training.patient_visits.recommendation import probabilities


@pytest.fixture(scope="module")
def visits():
    return made_up_visits()


def named(batches):
    return [(pretrains, numbers.tolist()) for pretrains, numbers in batches]


@pytest.mark.parametrize("pretrains", [True, False])
def test_batches_from_any_step_on_are_those_of_the_whole(visits, pretrains):
    batches = alternation(settings(), visits, SPLIT, pretrains=pretrains, seed=0)
    whole = named(islice(batches.after(0), 40))
    for step in (1, 6, 7, 12, 13, 20):
        assert named(islice(batches.after(step), 40 - step)) == whole[step:]


def test_a_round_passes_over_all_training_visits_then_over_all_training_patients(visits):
    batches = alternation(settings(), visits, SPLIT, pretrains=True, seed=0)
    pretraining, recommending = batches.lengths
    one = named(islice(batches.after(0), pretraining + recommending))
    assert [pretrains for pretrains, _ in one] == [True] * pretraining + [False] * recommending
    numbers = [sorted(n for pretrains, part in one for n in part if pretrains == which) for which in (True, False)]
    assert numbers == [list(range(52)), list(range(16))]


def test_patients_stay_whole_in_batches_of_about_as_many_visits(visits):
    batches = alternation(settings(), visits, SPLIT, pretrains=False, seed=0)
    assert batches.patients.size == round(8 / 3)


def test_a_training_learns_that_an_input_is_a_target_and_keeps_its_best_round(visits):
    choices = settings(rounds=2, epochs=10, learning_rate=0.03)
    done = train(choices, visits, SPLIT, (None, None), STILL, pretrains=False, seed=0)
    rows = predicted_rows(visits, SPLIT.test)
    scores, truth = probabilities(done.model, visits, SPLIT.test), visits.targets.flags[rows]
    assert (
        set_average_precision(truth, scores).mean()
        > set_average_precision(truth, truth.mean(0)[None] + 0 * scores).mean()
    )
    assert scores[truth[:, 0], 0].min() > scores[~truth[:, 0], 0].max()
    assert len(done.rounds) == 2
    assert done.rounds[done.best_round - 1] == max(done.rounds)


def test_the_same_seed_trains_the_same_model(visits):
    scores = [
        probabilities(
            train(settings(), visits, SPLIT, (None, None), STILL, pretrains=True, seed=seed).model, visits, SPLIT.test
        )
        for seed in (0, 0, 1)
    ]
    assert np.array_equal(scores[0], scores[1])
    assert not np.array_equal(scores[0], scores[2])
