"""Models are timed in turn: the whole one beside itself is as fast as itself."""

from tests.inference.tuned_model import write_tuned

from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.inference.prediction_speed import BATCHES, speeds
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
