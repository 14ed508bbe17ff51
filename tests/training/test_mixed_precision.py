"""A bfloat16 copy computes, the float32 model learns, and no small update gets lost between them."""

import pytest
import torch
from torch import nn

from wordworth.errors import BadInput
from wordworth.models import devices
from wordworth.training.mixed_precision import Bf16Replica, computes_in_bf16

CPU = torch.device("cpu")


@pytest.fixture
def replica():
    torch.manual_seed(0)
    return Bf16Replica(nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2)))


@pytest.mark.parametrize("fast", [True, False])
def test_auto_is_bfloat16_where_the_processor_is_fast_at_it(monkeypatch, fast):
    monkeypatch.setattr(devices, "has_bfloat16", lambda: fast)
    assert computes_in_bf16("auto", CPU) is fast
    assert computes_in_bf16("bfloat16", CPU)
    assert not computes_in_bf16("float32", CPU)


def test_another_dtype_is_refused():
    with pytest.raises(BadInput, match="unknown dtype 'float16'; give auto, float32 or bfloat16"):
        computes_in_bf16("float16", CPU)


def test_the_copy_is_rounded_and_the_model_is_not(replica):
    for own, copied in zip(replica.model.parameters(), replica.module.parameters(), strict=True):
        assert own.dtype == torch.float32
        assert torch.equal(copied, own.to(torch.bfloat16))
        assert replica.replica_of(own) is copied
    assert replica.replica_of(nn.Parameter(torch.zeros(1))) is None


def test_gradients_of_several_passes_are_summed_in_float32(replica):
    own = replica.model[0].weight
    for value in (256.0, 1.0):  # in bfloat16 256 + 1 is 256
        replica.replica_of(own).grad = torch.full_like(own, value, dtype=torch.bfloat16)
        replica.accumulate_gradients()
    assert torch.equal(own.grad, torch.full_like(own, 257.0))
    assert all(copied.grad is None for copied in replica.module.parameters())
    assert replica.model[1].weight.grad is None


def test_updates_too_small_for_bfloat16_add_up(replica):
    own = replica.model[0].bias
    with torch.no_grad():
        own.fill_(1.0)
        for _ in range(100):
            own += 1e-3
            replica.sync_weights()
    assert torch.allclose(replica.replica_of(own).float(), torch.tensor(1.1), atol=0.01)
    stuck = torch.ones(1, dtype=torch.bfloat16)
    for _ in range(100):
        stuck += 1e-3
    assert stuck.item() == 1
