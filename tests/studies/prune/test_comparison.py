"""Both models answer the same rows; as many random heads as are gone stand beside them, the same for a seed."""

import numpy as np
import pytest

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import labelled_inputs, predict
from wordworth.inference.prune import SmallerModel, with_first_layers, without_least_important
from wordworth.measures.metrics import metric
from wordworth.progress import SILENT
from wordworth.studies.prune.comparison import RANDOM_CHOICES, SMALLER, WHOLE, compare
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def tuned(run):
    return read_run(run)


@pytest.fixture(scope="module")
def task():
    return sample_task("single")


def compared(tuned, task, smaller, seed=0):
    return compare(tuned, smaller, labelled_inputs(tuned.network, task, task.test), task, seed, SILENT)


def test_scores_are_those_of_the_predictions(tuned, task):
    smaller = with_first_layers(tuned.encoder.model, 1)
    found, examples = compared(tuned, task, smaller), labelled_inputs(tuned.network, task, task.test)
    scorer, whole = metric(task.metric, task.classes), tuned.network.tuned
    assert found.score_before == scorer.score(examples.labels, predict(whole, examples))
    assert found.score == scorer.score(examples.labels, predict(whole.with_encoder(smaller.model), examples))
    assert found.random == ()
    assert set(found.speed) == {WHOLE, SMALLER}


def test_a_model_that_lost_nothing_changes_nothing_and_the_interval_has_a_width_all_the_same(tuned, task):
    same = SmallerModel("heads removed", tuned.encoder.model)
    change = compared(tuned, task, same).change
    assert change.value == 0
    assert change.interval.low < 0 < change.interval.high


def test_random_choices_are_as_many_and_the_seed_decides_them(tuned, task):
    ranking = labelled_inputs(tuned.network, task, task.train[:20])
    smaller = without_least_important(tuned, tuned.encoder.model, ranking, SILENT, share=0.5, as_zeros=False)
    first, again, other = (compared(tuned, task, smaller, seed) for seed in (0, 0, 1))
    assert len(first.random) == RANDOM_CHOICES
    values = [[change.value for change in each.random] for each in (first, again, other)]
    assert values[0] == values[1] != values[2]
    assert np.array_equal(first.change.draws, again.change.draws)
