"""Models are timed in turn: the whole one beside itself is as fast as itself."""

import pytest
from tests.inference.tuned_model import write_tuned

from wordworth.inference import prediction_speed
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.inference.prediction_speed import BATCHES, Speed, speeds
from wordworth.testing.sample_tasks import sample_task


def test_each_model_has_a_speed_at_each_batch_size(tmp_path):
    network, task = read_run(write_tuned(tmp_path, steps=2)).network, sample_task("single")
    examples = labelled_inputs(network, task, task.test[:5])  # fewer than a batch
    timed = speeds({"whole": network.tuned.predict, "same": network.tuned.predict}, examples.inputs, "whole")
    assert set(timed) == {"whole", "same"}
    for batch in BATCHES:
        assert timed["whole"][batch].speedup == (1.0, 1.0, 1.0)
        least, most = timed["same"][batch].speedup[1:]
        assert 0 < least <= timed["same"][batch].speedup[0] <= most
        assert timed["same"][batch].milliseconds > 0


def test_milliseconds_of_two_models_have_the_ratio_that_their_speedup_says(monkeypatch):
    """A round on a busy machine is slow for both models: the medians of their times alone would say another ratio."""
    rounds = [(1, 1), (4, 1), (4, 2), (4, 2), (9, 8), (9, 8), (9, 8), (9, 3)]
    seconds = iter([took for pair in rounds for _ in BATCHES for took in pair])
    monkeypatch.setattr(prediction_speed, "_seconds_per_text", lambda *_: next(seconds))
    task = sample_task("single")
    timed = speeds({"whole": None, "small": None}, task.examples, "whole")
    for batch in BATCHES:
        whole, small = timed["whole"][batch], timed["small"][batch]
        assert small.speedup[0] == 2
        assert whole.milliseconds / small.milliseconds == pytest.approx(small.speedup[0])


def test_a_speed_beside_another_timing_of_the_whole_model_keeps_its_speedup():
    speed, whole = Speed(10.0, (2.0, 1.5, 2.5)), Speed(30.0, (1.0, 1.0, 1.0))
    assert speed.relative_to(whole) == Speed(15.0, (2.0, 1.5, 2.5))
