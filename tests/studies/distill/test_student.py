"""A student before its first step is the teacher's first layers under the teacher's own layers above them."""

import numpy as np
import torch
from tests.inference.tuned_model import write_tuned

from wordworth.inference.tuned_run import read_run
from wordworth.studies.distill.student import Pair
from wordworth.studies.prune import prune
from wordworth.testing.sample_tasks import sample_task


def test_the_start_predicts_as_the_folder_that_prune_writes(run, tmp_path):
    pair = Pair(read_run(run), str(run), 1)
    prune(run, tmp_path / "short", layers=1)
    pruned, inputs = read_run(tmp_path / "short").network, pair.inputs(sample_task("single"))
    expected = np.concatenate(pruned.tuned.exact.scores(inputs))
    np.testing.assert_allclose(np.concatenate(pair.start.exact.scores(inputs)), expected, atol=1e-5)


def test_teachers_with_other_weights_above_the_encoder_have_other_keys(run):
    first, second = (Pair(read_run(run), str(run), 1) for _ in range(2))
    assert first.key == second.key
    third = Pair(read_run(run), str(run), 1)
    with torch.no_grad():
        third.tuned.network.tuned.network.output.bias.add_(1.0)
    assert third.key != first.key


def test_a_students_settings_are_its_teachers(tmp_path):
    pair = Pair(read_run(write_tuned(tmp_path, pooling="pooler", steps=2)), "run", 1)
    assert pair.shared_settings == {"pooling": "pooler", "embeddings": True, "bilstm": False}
