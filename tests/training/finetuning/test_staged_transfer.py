"""Runs that start from the runs of the stage before, seed by seed."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.errors import BadInput
from wordworth.progress import STILL
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.best_model import rebuild
from wordworth.training.finetuning.dev_split import dev_split
from wordworth.training.finetuning.run import run_to
from wordworth.training.finetuning.run_result import HyperParameters, Result, RunSpec
from wordworth.training.finetuning.settings import FinetuneSettings
from wordworth.training.finetuning.staged_transfer import StagedSpec, keeps_output, require_ended
from wordworth.training.finetuning.worker_pool import WorkerSpec

POINT = HyperParameters(learning_rate=1e-3, batch_size=16, epochs=1)


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    folder = write_tiny_encoder(tmp_path_factory.mktemp("stages") / "tiny", layers=1)
    (folder / "modules.json").unlink()  # a BERT with its pooler, and no sentence encoder
    return FinetuneSettings(model=str(folder), dev=0.0)


@pytest.fixture(scope="module")
def chain(settings, tmp_path_factory):
    """The specification of a first stage whose runs are made, and a function that puts another one on it."""
    folder = tmp_path_factory.mktemp("runs")
    task = sample_task("pair_classification", 40)
    first = WorkerSpec(settings, task, dev_split(task, 0.0, 0), folder / "first")
    experiment = first.load()
    for seed in (0, 1):
        spec = RunSpec(POINT, seed)
        run_to(experiment, spec, first.run_folder(spec), STILL)

    def then(kind):
        following = sample_task(kind, 40, seed=1)
        return StagedSpec(settings, following, dev_split(following, 0.0, 0), folder / kind, first, POINT)

    return first, then


def body(network):
    return torch.cat([weight.flatten() for weight in network.body.parameters()]).detach()


def trained(spec, seed):
    experiment = spec.load()
    result = Result.read(spec.run_folder(RunSpec(POINT, seed)) / "result.npz")
    return rebuild(experiment, result, spec.folder).run.tuned.network


def test_a_run_starts_from_the_run_of_the_stage_before_with_its_seed(chain):
    first, then = chain
    following = then("multiple_choice").load()
    begun = [following.begin(POINT, seed).run.network for seed in (0, 1)]
    ended = [trained(first, seed) for seed in (0, 1)]
    for seed in (0, 1):
        assert torch.equal(body(begun[seed]), body(ended[seed]))
        assert torch.equal(begun[seed].pooler.weight, ended[seed].pooler.weight)
        table = ended[seed].trained_embedding.full_table()
        assert torch.equal(begun[seed].trained_embedding.full_table(), table)
    assert not torch.equal(body(begun[0]), body(begun[1]))


def test_the_output_layer_goes_on_between_tasks_of_one_kind_and_is_new_between_others(chain):
    first, then = chain
    ended = trained(first, 0).output.weight
    assert torch.equal(then("pair_classification").load().begin(POINT, 0).run.network.output.weight, ended)
    assert then("multiple_choice").load().begin(POINT, 0).run.network.output.weight.shape == (1, ended.shape[1])


def test_a_pooler_that_a_stage_does_not_use_stays_as_it_was_pretrained(settings, tmp_path):
    task, target = sample_task("tagging", 40), sample_task("classification", 40)
    first = WorkerSpec(settings, task, dev_split(task, 0.0, 0), tmp_path / "first")
    second = StagedSpec(settings, target, dev_split(target, 0.0, 0), tmp_path / "second", first, POINT)
    experiment = second.load()
    begun = experiment.begin(POINT, 0).run.network  # which makes the run of the first stage
    assert torch.equal(begun.pooler.weight, experiment.encoder.model.pooler.weight)


def test_kinds_and_classes_decide_whether_the_output_layer_goes_on():
    one, other = sample_task("classification"), sample_task("multiple_choice")
    assert keeps_output(one, one)
    assert not keeps_output(one, other)
    assert not keeps_output(one, replace(one, classes=("a", "b", "c")))


def test_a_stage_after_a_stage_knows_all_that_were_before(chain, settings, tmp_path):
    _, then = chain
    third = sample_task("classification", 40)
    last = StagedSpec(settings, third, dev_split(third, 0.0, 0), tmp_path, then("multiple_choice"), POINT)
    assert [task.kind for task in last.load().starts.tasks] == ["pair_classification", "multiple_choice"]


def test_a_process_reads_all_stages_onto_one_gpu(chain, monkeypatch):
    _, then = chain
    spec = then("multiple_choice")
    assert spec.for_gpu(1).earlier.settings.device == spec.settings.device  # on a CPU nothing changes
    monkeypatch.setattr("wordworth.training.finetuning.worker_pool.device_of", lambda _: torch.device("cuda"))
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    third = spec.for_gpu(3)
    assert (third.settings.device, third.earlier.settings.device) == ("cuda:1", "cuda:1")


def test_no_stage_starts_from_a_run_that_failed():
    failed = Result(hyper_parameters=POINT, seed=2, state="failed", steps=3, reason="the loss was no number")
    with pytest.raises(BadInput, match="the loss was no number; give a lower"):
        require_ended(failed, sample_task("classification"))
    require_ended(replace(failed, state="finished", test=np.zeros((1, 2))), sample_task("classification"))
