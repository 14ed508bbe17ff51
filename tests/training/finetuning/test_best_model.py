import json
import shutil

import numpy as np
import pytest
import torch
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.finetune.cases import POINT, order_of

from wordworth.errors import BadInput
from wordworth.progress import STILL
from wordworth.training.finetuning.best_model import rebuild, save_best_model
from wordworth.training.finetuning.run import run_to
from wordworth.training.finetuning.run_result import RunSpec


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An experiment, the result of one of its runs, and the folder of the runs."""
    folder = tmp_path_factory.mktemp("best")
    encoder = str(write_tiny_encoder(folder / "tiny"))
    order = order_of(encoder, folder / "runs")
    experiment, spec = order.load(), RunSpec(POINT, 0)
    return experiment, run_to(experiment, spec, order.run_folder(spec), STILL), order.run_folder(spec).parent


@pytest.fixture
def runs(made, tmp_path):
    """A copy of the folder of runs, to be damaged."""
    shutil.copytree(made[2], tmp_path / "runs")
    return tmp_path / "runs"


def weights(training):
    return torch.cat([one.detach().flatten() for one in training.run.network.parameters()])


def test_a_run_whose_weights_are_gone_is_trained_again_to_the_same_weights(made, runs):
    experiment, result, _ = made
    kept = weights(rebuild(experiment, result, runs))
    (runs / result.name / "weights.pt").unlink()
    assert torch.equal(weights(rebuild(experiment, result, runs)), kept)


def test_weights_that_were_changed_since_are_refused_with_the_file_to_remove(made, runs):
    experiment, result, _ = made
    with (runs / result.name / "weights.pt").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(BadInput, match=r"weights\.pt: the weights of this run were changed since it ended; remove"):
        rebuild(experiment, result, runs)


def test_the_folder_of_the_best_run_says_what_it_was_made_of(made, tmp_path):
    experiment, result, runs = made
    save_best_model(experiment, result, runs, tmp_path / "model")
    facts = json.loads((tmp_path / "model" / "wordworth.json").read_text())
    assert (facts["kind"], facts["classes"]) == (experiment.task.kind, list(experiment.task.classes))
    assert facts["metric"] == experiment.task.metric
    assert (tmp_path / "model" / "config.json").exists()


def test_where_every_run_failed_nothing_is_written(made, tmp_path):
    save_best_model(made[0], None, made[2], tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_the_rebuilt_run_predicts_what_its_result_holds(made):
    experiment, result, runs = made
    task = experiment.task
    training = rebuild(experiment, result, runs)
    predictions = training.predict(task.test)
    assert np.allclose(predictions, result.test, atol=1e-5)
