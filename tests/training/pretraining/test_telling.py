"""What a run says of itself while it goes on."""

from types import SimpleNamespace

import pytest
import torch

from wordworth.training.pretraining import telling


class Pair:
    """Two processes that measure the same."""

    def add_up(self, tensors):
        for tensor in tensors:
            tensor.mul_(2)


def test_the_share_of_peak_is_of_what_all_processes_can_do_together(monkeypatch):
    monkeypatch.setattr(telling, "matmul_peak", lambda dtype, device: 3.0e11)  # noqa: ARG005 - as the real one
    parts = SimpleNamespace(
        dtype=torch.float32,
        network=SimpleNamespace(encoder=SimpleNamespace(device=torch.device("cpu"))),
        loop=SimpleNamespace(processes=Pair()),
    )
    assert telling._peak(parts) == pytest.approx(6.0e11)
