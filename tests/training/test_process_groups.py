import pytest
import torch
from torch import distributed

from wordworth.training.process_groups import DataParallel, FullySharded, processes


@pytest.mark.parametrize(("device", "backend", "taken"), [("cpu", "gloo", []), ("cuda", "nccl", [1])])
def test_processes_meet_where_they_compute_whatever_else_the_machine_has(monkeypatch, device, backend, taken):
    groups, cards = [], []
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    monkeypatch.setattr("torch.cuda.set_device", cards.append)
    for name, done in (("init_process_group", groups.append), ("destroy_process_group", lambda: None)):
        monkeypatch.setattr(distributed, name, done)
    for name, number in (("get_rank", 1), ("get_world_size", 2)):
        monkeypatch.setattr(distributed, name, lambda number=number: number)
    for name, value in (("WORLD_SIZE", "2"), ("LOCAL_RANK", "1")):
        monkeypatch.setenv(name, value)
    with processes(torch.device(device)) as beside:
        assert (beside.rank, beside.count) == (1, 2)
    assert (groups, cards) == ([backend], taken)


def test_one_process_alone_sums_to_what_it_has_and_keeps_its_value(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    tensor = torch.arange(3.0)
    with processes(torch.device("cpu")) as alone:
        assert (alone.rank, alone.count) == (0, 1)
        alone.all_reduce([tensor])
        alone.reduce_gradients([tensor])
        assert alone.broadcast("value") == "value"
    assert tensor.tolist() == [0, 1, 2]


@pytest.fixture
def twins(monkeypatch):
    """Two processes with the same tensors; what is sent is kept."""
    sent = []

    def all_reduce(flat):
        sent.append((flat.dtype, flat.numel()))
        flat.mul_(2)

    monkeypatch.setattr(distributed, "get_rank", lambda: 0)
    monkeypatch.setattr(distributed, "get_world_size", lambda: 2)
    monkeypatch.setattr(distributed, "get_backend", lambda: "gloo")
    monkeypatch.setattr(distributed, "all_reduce", all_reduce)
    return sent


def test_every_tensor_becomes_its_sum_in_place_whatever_its_shape_and_dtype(twins):
    made = [torch.ones(2, 3), torch.full((), 5.0), torch.full((4,), 3, dtype=torch.float64), torch.ones(1, 1)]
    parameters = [tensor.clone().requires_grad_() for tensor in made]
    DataParallel().all_reduce(parameters)
    for before, after in zip(made, parameters, strict=True):
        assert torch.equal(after, 2 * before)
        assert after.requires_grad
    assert twins == [(torch.float32, 7), (torch.float64, 4), (torch.float32, 1)]


def test_large_tensors_are_not_sent_together(twins, monkeypatch):
    monkeypatch.setattr("wordworth.training.process_groups._BUCKET", 10)
    DataParallel().reduce_gradients([torch.ones(6), torch.ones(4), torch.ones(1), torch.ones(40)])
    assert [count for _, count in twins] == [10, 1, 40]


def test_sharded_gradients_are_summed_already(twins):
    gradient = torch.ones(3)
    FullySharded().reduce_gradients([gradient])
    assert gradient.tolist() == [1, 1, 1]
    FullySharded().all_reduce([gradient])
    assert gradient.tolist() == [2, 2, 2]
    assert len(twins) == 1
