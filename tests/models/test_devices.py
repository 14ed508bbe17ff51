"""A device is found by name, or refused with the names that there are."""

import numpy as np
import pytest
import torch

from wordworth.errors import BadInput
from wordworth.models import devices


@pytest.fixture
def without_gpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)


@pytest.fixture
def two_gpus(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)


@pytest.mark.usefixtures("without_gpu")
def test_auto_is_the_cpu_where_there_is_nothing_else():
    assert devices.device_of("auto") == devices.device_of("cpu") == torch.device("cpu")


@pytest.mark.usefixtures("two_gpus")
def test_auto_is_a_gpu_where_there_is_one():
    assert devices.device_of("auto") == torch.device("cuda")
    assert devices.device_of("cuda:1") == torch.device("cuda:1")
    with pytest.raises(BadInput, match="this machine has no device 'cuda:2'"):
        devices.device_of("cuda:2")


@pytest.mark.usefixtures("two_gpus")
def test_auto_leaves_int8_to_the_cpu():
    assert devices.device_of("auto", "int8") == torch.device("cpu")
    assert devices.device_of("auto", "bfloat16") == torch.device("cuda")


@pytest.mark.usefixtures("without_gpu")
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gpu", "no device 'gpu'; give auto, cpu or cuda"),
        ("cuda", "this machine has no device 'cuda'; give auto or cpu"),
        ("mps", "device type 'mps' is not supported"),
        ("", "no device ''"),
    ],
)
def test_a_device_that_is_not_there_is_refused_with_what_to_give(name, words):
    with pytest.raises(BadInput, match=words) as error:
        devices.device_of(name)
    assert error.value.where == "--device"


def test_numbers_arrive_unchanged_beside_the_tensor():
    moved = devices.on_device(np.array([3, -1]), torch.device("cpu"))
    assert (moved.dtype, moved.tolist(), moved.device.type) == (torch.int64, [3, -1], "cpu")


def test_the_cpu_has_the_name_cpu():
    assert devices.name_of(torch.device("cpu")) == "cpu"


def test_an_older_torch_that_cannot_be_asked_counts_as_no(monkeypatch):
    for name in ("_is_avx512_bf16_supported", "_is_amx_tile_supported"):
        monkeypatch.delattr(torch.cpu, name, raising=False)
    devices.has_bfloat16.cache_clear()
    devices.multiplies_signed_bytes.cache_clear()
    try:
        assert not devices.has_bfloat16()
        assert not devices.multiplies_signed_bytes()
    finally:
        devices.has_bfloat16.cache_clear()
        devices.multiplies_signed_bytes.cache_clear()
