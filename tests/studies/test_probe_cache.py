"""A probe is trained once, and has the same weights where an earlier call trained it."""

import numpy as np
import torch
from tests.studies.new_parts import new_parts
from torch import nn
from torch.nn import functional

from wordworth.progress import STILL
from wordworth.studies.probe_cache import trained_probe
from wordworth.training.loop import Loss
from wordworth.training.probes.train_probe import ProbeTraining, train_probe


def test_the_second_call_reads_weights_and_losses_and_another_name_trains_anew():
    x = torch.randn(60, 4, generator=torch.Generator().manual_seed(0))
    y, finished, calls = (x[:, 0] > 0).long(), new_parts(), []

    def trained(name):
        probe = nn.Linear(4, 2)
        nn.init.zeros_(probe.weight)
        nn.init.zeros_(probe.bias)

        def loss(rows, _):
            return Loss(functional.cross_entropy(probe(x[rows]), y[rows], reduction="sum"), len(rows))

        def train():
            calls.append(name)
            return train_probe(probe, loss, np.arange(40), np.arange(40, 60), ProbeTraining(passes=2), seed=0)

        return trained_probe(finished, (name,), probe, train, STILL, 80), probe

    first, again, other = trained("a"), trained("a"), trained("b")
    assert calls == ["a", "b"]
    assert first[0] == again[0] == other[0]
    assert first[1].weight.abs().sum() > 0
    assert torch.equal(first[1].weight, again[1].weight)
    assert torch.equal(first[1].bias, again[1].bias)
