"""The seam for what a run learns from beside its labels: anything with taps and a loss can teach."""

from dataclasses import dataclass, field, replace

import numpy as np
import torch
from tests.training.finetuning.test_trainer import EAGER, begun

from wordworth.models.activation_taps import Taps
from wordworth.training.finetuning.trainer import FineTuningRun
from wordworth.training.loop import Loss
from wordworth.training.task_heads import head_of


@dataclass
class Shrinking:
    """A teacher that wants small states of the embedding, and keeps what it was asked."""

    asked: list = field(default_factory=list)

    def taps(self):
        return Taps(read=("embedding",))

    def loss(self, own, scores, seen, starts, example_indices, fraction):  # noqa: ARG002 - a teacher
        values = seen.seen["embedding"][0][: int(starts[-1])]
        self.asked.append((len(values), len(example_indices), fraction, own.sum.item()))
        return Loss(values.square().sum(), own.count)


def test_a_teacher_of_your_own_decides_the_loss(tiny):
    task, inputs, _ = begun(tiny)
    head, teacher = head_of(task), Shrinking()
    gold = head.targets(task.gold(task.train[:32]), inputs)
    run = FineTuningRun(tiny.model, head, inputs, gold, replace(EAGER, steps=10), 0, teacher=teacher)
    run.loop.train(10)
    assert run.loop.losses[-1] < run.loop.losses[0]
    assert [fraction for *_, fraction, _ in teacher.asked] == [step / 10 for step in range(10)]
    assert all(texts == 8 and tokens > texts and np.isfinite(own) for tokens, texts, _, own in teacher.asked)


def test_a_run_begins_from_the_layers_above_another_network(tiny):
    task, inputs, other = begun(tiny)
    other.loop.train(5)
    head = head_of(task)
    gold = head.targets(task.gold(task.train[:32]), inputs)
    run = FineTuningRun(tiny.model, head, inputs, gold, EAGER, 3, above=other.network)
    assert torch.equal(run.network.output.weight, other.network.output.weight)
    assert torch.equal(run.network.output.bias, other.network.output.bias)
