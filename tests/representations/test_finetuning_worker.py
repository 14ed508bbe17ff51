"""A fit in a worker process gives the weights of the same fit in this one."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from tests.representations.test_finetuned_encoder import BRIEF, EAGER
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.array_cache import ArrayCache
from wordworth.errors import BadInput
from wordworth.representations import finetuned_encoder
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.rung import RunContext
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.loop import Diverged
from wordworth.worker_process import WorkerPool


@pytest.fixture(scope="module")
def workers():
    with closing(WorkerPool()) as pool:
        yield pool


@pytest.fixture(autouse=True)
def every_fit_counts_as_long(monkeypatch):
    monkeypatch.setattr(finetuned_encoder, "_LONG_FIT", 0)


def opened(folder, tmp_path, kind, settings, workers=None):
    run_context = RunContext(ArrayCache(tmp_path), workers=workers)
    return FineTuned(folder, settings).prepare(sample_task(kind), run_context)


@pytest.mark.parametrize("kind", ["single", "pair", "multilabel", "regression", "tags"])
def test_a_worker_gives_the_same_predictions_and_the_same_record(tiny_folder, tmp_path, workers, kind):
    fits = []
    for pool in (None, workers):
        learner = opened(tiny_folder, tmp_path, kind, BRIEF, pool)
        predictor = learner.fit(learner.task.train[:48], np.random.default_rng(3))
        fits.append((predictor.chosen, predictor.predict(learner.task.test)))
    (here, in_this), (there, in_the_worker) = fits
    assert here == there
    np.testing.assert_equal(in_this, in_the_worker)


def test_a_worker_gives_the_same_temperature(tiny_folder, tmp_path, workers):
    calibrations = [
        opened(tiny_folder, tmp_path, "single", replace(BRIEF, stop_from=40), pool)
        .fit(sample_task("single").train[:48], np.random.default_rng(3))
        .calibration
        for pool in (None, workers)
    ]
    assert calibrations[0] == calibrations[1]
    assert calibrations[0].held_out == 4


def test_the_attempt_that_was_kept_is_the_one_that_is_restored(tiny_folder, tmp_path, workers):
    """Steps that change nothing look like a collapse, so that the run starts anew; its last attempt is kept."""
    still = replace(BRIEF, learning_rate=1e-12, head_learning_rate=1e-12, restarts=2)
    fits = []
    for pool in (None, workers):
        learner = opened(tiny_folder, tmp_path, "single", still, pool)
        predictor = learner.fit(learner.task.train[:48], np.random.default_rng(3))
        fits.append((predictor.chosen["restarts"], predictor.predict(learner.task.test)))
    assert fits[0][0] == fits[1][0] == 2
    np.testing.assert_equal(fits[0][1], fits[1][1])


def test_progress_reaches_this_process(tiny_folder, tmp_path, workers):
    fractions = []
    learner = opened(tiny_folder, tmp_path, "single", BRIEF, workers).with_progress(fractions.append)
    learner.fit(learner.task.train[:48], np.random.default_rng(0))
    assert sum(fractions) == pytest.approx(1.0)
    assert len(fractions) > 2


def test_a_run_that_diverges_says_so_here(tiny_folder, tmp_path, workers):
    wild = replace(EAGER, learning_rate=1e30, head_learning_rate=1e30, restarts=0, most_steps=20, least_steps=20)
    learner = opened(tiny_folder, tmp_path, "single", wild, workers)
    with pytest.raises(Diverged):
        learner.fit(learner.task.train[:48], np.random.default_rng(0))


@pytest.mark.slow
def test_a_model_whose_files_have_changed_meanwhile_is_refused(tmp_path):
    folder = str(write_tiny_encoder(tmp_path / "model"))
    with closing(WorkerPool()) as workers:
        learner = opened(folder, tmp_path, "single", BRIEF, workers)
        write_tiny_encoder(tmp_path / "model", layers=1)
        with pytest.raises(BadInput, match="have changed"):
            learner.fit(learner.task.train[:48], np.random.default_rng(0))
