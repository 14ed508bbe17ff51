"""The result of a run, and its file."""

from dataclasses import replace

import numpy as np
from tests.studies.finetune.cases import POINT

from wordworth.training.finetuning.run_result import Evaluation, HyperParameters, Result, evaluation_steps


def test_a_result_comes_back_from_its_file_as_it_was(tmp_path):
    said = {"scores": np.eye(3), "tags": (np.array([1, 2]), np.array([], np.int64)), "texts": ("a", "", "ü")}
    for name, value in said.items():
        looks = (Evaluation(9, 0.1, None),)
        result = Result(
            hyper_parameters=POINT, seed=1, state="finished", steps=9, evaluations=looks, dev_score=0.5, test=value
        )
        result.save(tmp_path / name)
        back = Result.read(tmp_path / name)
        assert (back.hyper_parameters, back.evaluations, back.dev_score) == (POINT, result.evaluations, 0.5)
        assert len(back.test) == len(value)
        assert all(np.array_equal(one, other) for one, other in zip(back.test, value, strict=True))


def test_a_run_that_failed_does_not_count_by_what_it_scored_before():
    failed = Result(
        hyper_parameters=HyperParameters(learning_rate=1.0, batch_size=1, epochs=1.0),
        seed=0,
        state="failed",
        steps=8,
        evaluations=(Evaluation(step=1, loss=0.5, dev=0.9),),
    )
    assert failed.best_dev(8) == -np.inf
    assert failed.best_dev(1) == 0.9
    assert replace(failed, state="paused").best_dev(8) == 0.9


def test_a_run_that_is_found_further_is_judged_by_what_a_race_had_seen_of_it():
    looks = tuple(Evaluation(step, 1.0, dev) for step, dev in ((1, 0.5), (2, 0.4), (3, 0.6), (8, 0.9)))
    further = Result(hyper_parameters=POINT, seed=0, state="finished", steps=8, evaluations=looks, dev_score=0.9)
    assert [further.best_dev(until) for until in (2, 4, 8)] == [0.5, 0.6, 0.9]


def test_a_run_is_looked_at_eight_times_and_at_its_end():
    for steps in (1, 5, 8, 20, 1001):
        found = evaluation_steps(steps)
        assert len(found) == 8
        assert found[-1] == steps
        assert found == sorted(found)
