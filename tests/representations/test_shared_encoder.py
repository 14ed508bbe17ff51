"""Rungs that share an encoder load it once, on the device of the study."""

from types import SimpleNamespace

import pytest
import torch

from wordworth.models import devices
from wordworth.representations import shared_encoder
from wordworth.representations.few_shot import FewShot
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.frozen_encoder import Frozen
from wordworth.representations.rung import RunContext
from wordworth.representations.shared_encoder import load_encoder, load_trainable_encoder
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture
def calls(monkeypatch):
    """The options of each encoder that is loaded, on a machine whose `auto` is a GPU."""
    calls = []

    def load(model, *, dtype, hash_whole, device):
        assert hash_whole
        calls.append((model, dtype, device))
        here = torch.device("cpu" if device == "cpu" else "cuda")
        return SimpleNamespace(name=model, dtype=dtype, model=SimpleNamespace(device=here))

    monkeypatch.setattr(shared_encoder, "load", load)
    monkeypatch.setattr(devices, "device_of", lambda name: torch.device("cpu" if name == "cpu" else "cuda"))
    load_encoder.cache_clear()
    yield calls
    load_encoder.cache_clear()


def test_an_encoder_is_loaded_once(calls):
    assert load_encoder("a", "auto", "cpu") is load_encoder("a", "auto", "cpu")
    assert load_trainable_encoder("a", "auto", "cpu") is load_encoder("a", "auto", "cpu")
    assert calls == [("a", "auto", "cpu")]


def test_on_a_gpu_weights_that_are_trained_are_float32(calls):
    assert load_trainable_encoder("a", "auto", "auto").dtype == "float32"
    assert calls == [("a", "float32", "auto")]


@pytest.mark.parametrize("rung", [Frozen, FineTuned, FewShot])
def test_rungs_load_their_encoder_on_the_device_of_the_study(calls, rung):
    with pytest.raises(AttributeError):  # what stands for the encoder can do no more
        rung("a").prepare(sample_task("single"), RunContext(device="cuda"))
    assert {device for _, _, device in calls} == {"cuda"}
