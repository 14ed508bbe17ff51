"""A teacher in a run's objective: the published sum of losses, with dropout and padding out of the way."""

import copy
from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.training.finetuning.test_trainer import EAGER, begun
from torch.nn import functional

from wordworth.training.distillation.methods import METHODS, Weights
from wordworth.training.distillation.student_loss import Distillation
from wordworth.training.distillation.teacher_outputs import TeacherReader
from wordworth.training.finetuning.trainer import FineTuningRun
from wordworth.training.task_heads import head_of

CONFIG = replace(EAGER, dropout=0.0, encoder_dropout=False, steps=20)
WEIGHTS = Weights(3.0, 0.4, 50.0)


def pair(tiny, tmp_path, monkeypatch, name="pkd-skip", weights=WEIGHTS):
    """A teacher that has learned a little, and a run of a student of equal depth that it teaches."""
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path))
    task, inputs, teacher = begun(tiny, config=CONFIG)
    teacher.loop.train(CONFIG.steps)
    method = METHODS[name]
    student, taught = ((1,), (1,)) if "pkd" in name else method.layers(2, 2)
    answers = TeacherReader(tiny, teacher.tuned.exact, "mean", method, taught).answers(inputs)
    known = teacher.network.body.tap_names()
    seam = Distillation(method, weights, answers, student, known, "mean", tiny.model.config.num_heads)
    head = head_of(task)
    gold = head.targets(task.gold(task.train[:32]), inputs)
    return FineTuningRun(tiny.model, head, inputs, gold, CONFIG, 1, teacher=seam), teacher, inputs, gold


def test_the_loss_of_patient_distillation_is_an_independent_sum(tiny, tmp_path, monkeypatch):
    run, teacher, inputs, gold = pair(tiny, tmp_path, monkeypatch)
    example_indices = np.array([3, 9, 0, 22])
    total = run.loop.objective(example_indices, torch.Generator().manual_seed(0))
    assert total.count == 4
    expected = torch.zeros(())
    for example in example_indices:
        batch = inputs.batch(np.array([example]))
        with torch.no_grad():
            scores, other = (each.network(batch)[0] for each in (run, teacher))
            first, second = (list(each.network.body.states(each.network.embedding(batch), batch.starts))[1].mean(0)
                             for each in (run, teacher))  # fmt: skip
        soft = functional.kl_div(
            functional.log_softmax(scores / 3, -1), functional.softmax(other / 3, -1), reduction="sum"
        )
        patience = functional.mse_loss(first / first.norm(), second / second.norm())
        expected += 0.6 * functional.cross_entropy(scores, gold.values[example]) + 0.4 * 9 * soft + 50 * patience
    assert total.sum.item() == pytest.approx(expected.item(), rel=1e-4)


def test_without_weights_it_is_the_loss_of_the_labels(tiny, tmp_path, monkeypatch):
    run, _, inputs, gold = pair(tiny, tmp_path, monkeypatch, weights=Weights(3.0, 0.0, 0.0))
    example_indices = np.arange(6)
    scores = run.network(inputs.batch(example_indices))
    expected = functional.cross_entropy(scores, gold.values[torch.arange(6)], reduction="sum")
    torch.testing.assert_close(run.loop.objective(example_indices, torch.Generator().manual_seed(0)).sum, expected)


def test_the_first_half_of_tinybert_has_no_loss_of_the_outputs(tiny, tmp_path, monkeypatch):
    run, *_ = pair(tiny, tmp_path, monkeypatch, "tinybert", METHODS["tinybert"].weights)
    example_indices = np.arange(6)
    run.loop.objective(example_indices, torch.Generator().manual_seed(0)).sum.backward()
    reached = {name for name, each in run.network.named_parameters() if each.grad is not None and each.grad.any()}
    assert "embedding.norm.weight" in reached
    assert not reached & {"output.weight", "output.bias"}
    assert run.teacher.outputs_from == 0.5  # weights before it are never kept


@pytest.mark.parametrize("name", ["kd", "pkd-skip", "distilbert", "tinybert"])
def test_a_student_comes_nearer_to_its_teacher_and_resumes_to_the_bit(tiny, tmp_path, monkeypatch, name):
    weights = replace(METHODS[name].weights, alpha=1.0)
    run, teacher, inputs, _ = pair(tiny, tmp_path, monkeypatch, name, weights)
    target = torch.from_numpy(np.concatenate(teacher.tuned.exact.scores(inputs)))

    def distance(each):
        own = torch.from_numpy(np.concatenate(each.tuned.exact.scores(inputs)))
        return float((own.log_softmax(-1) - target.log_softmax(-1)).square().mean())

    before = distance(run)
    run.loop.train(11)
    state = copy.deepcopy(run.loop.state())
    run.loop.train(9)
    assert distance(run) < before
    second = pair(tiny, tmp_path, monkeypatch, name, weights)[0]
    second.loop.restore(state)
    second.loop.train(9)
    assert second.loop.losses == run.loop.losses
