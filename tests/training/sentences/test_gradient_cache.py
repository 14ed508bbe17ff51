"""Cached gradients are those of the whole batch at once, dropout included."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from wordworth.training.process_groups import ALONE
from wordworth.training.sentences.gradient_cache import loss_parts
from wordworth.training.sentences.losses.base import ComparedTexts, LossOptions
from wordworth.training.sentences.losses.ranking import RankingLoss


def encoder_and_texts(texts: int, seed: int = 0) -> tuple[nn.Module, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, 5)).double()
    for weights in model.parameters():
        nn.init.normal_(weights, std=0.4, generator=generator)
    return model, torch.randn(texts, 6, dtype=torch.float64, generator=generator)


def gradients(
    parts: list[np.ndarray], texts: int, *, dropout: bool = False, processes=ALONE
) -> tuple[list[torch.Tensor], float, int]:
    """The gradients of a ranking loss, its value, and the most texts that were in a graph at a time."""
    model, inputs = encoder_and_texts(texts)
    loss, half = RankingLoss(LossOptions(5)), texts // 2
    columns = torch.tensor([[row, half + row, -1] for row in range(half)])
    place = torch.from_numpy(np.argsort(np.concatenate(parts)))
    largest = 0

    def encode(part: np.ndarray, generator: torch.Generator) -> torch.Tensor:
        nonlocal largest
        largest = max(largest, len(part) if torch.is_grad_enabled() else 0)
        vectors = model(inputs[part])
        keep = torch.rand(vectors.shape, generator=generator) > 0.3
        return vectors * keep if dropout else vectors

    total = 0.0
    compared = ComparedTexts(columns)
    own = torch.Generator()
    for scalar in loss_parts(encode, lambda vectors: loss(vectors[place], compared), parts, own, processes):
        scalar.backward()
        total += scalar.item()
    return [each.grad for each in model.parameters()], total, largest


@given(st.integers(1, 12), st.permutations(range(24)))
def test_any_division_into_parts_has_the_gradients_of_one_part(size, order):
    whole, value, _ = gradients([np.arange(24)], 24)
    parts = [np.array(order[start : start + size]) for start in range(0, 24, size)]
    cached, cached_value, largest = gradients(parts, 24)
    assert cached_value == pytest.approx(value, abs=1e-5)
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(whole, cached, strict=True))
    assert largest == size


def test_the_second_pass_draws_the_dropout_of_the_first():
    """Else the gradients of the vectors would be passed on through other vectors."""
    parts = [np.arange(0, 8), np.arange(8, 16)]
    cached, _, _ = gradients(parts, 16, dropout=True)
    model, inputs = encoder_and_texts(16)
    seeds = torch.randint(2**62, (2,), generator=torch.Generator()).tolist()
    masks = [torch.rand((8, 5), generator=torch.Generator().manual_seed(seed)) > 0.3 for seed in seeds]
    columns = torch.tensor([[row, 8 + row, -1] for row in range(8)])
    RankingLoss(LossOptions(5))(model(inputs) * torch.cat(masks), ComparedTexts(columns)).backward()
    own = [each.grad for each in model.parameters()]
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(own, cached, strict=True))


class Group:
    """Processes as threads, which wait for each other to add their tensors up."""

    def __init__(self, count: int) -> None:
        self.count, self.barrier, self.given = count, threading.Barrier(count), [None] * count

    def member(self, rank: int) -> "Member":
        return Member(self, rank)


class Member:
    def __init__(self, group: Group, rank: int) -> None:
        self.group, self.rank, self.count = group, rank, group.count

    def all_reduce(self, tensors: list[torch.Tensor]) -> None:
        self.group.given[self.rank] = [tensor.detach().clone() for tensor in tensors]
        self.group.barrier.wait()
        for tensor, *others in zip(tensors, *self.group.given, strict=True):
            tensor.detach().copy_(sum(others))
        self.group.barrier.wait()


@pytest.mark.parametrize("count", [2, 3])
def test_processes_that_share_a_batch_have_together_the_gradients_of_one(count):
    """Each has its own copy of the model; every text is compared with the texts of all."""
    whole, value, _ = gradients([np.arange(24)], 24)
    parts = [np.arange(start, start + 5) for start in range(0, 20, 5)] + [np.arange(20, 24)]
    group = Group(count)
    with ThreadPoolExecutor(count) as pool:
        shares = list(pool.map(lambda number: gradients(parts, 24, processes=group.member(number)), range(count)))
    assert sum(share[1] for share in shares) == pytest.approx(value, abs=1e-5)
    for number, expected in enumerate(whole):
        assert torch.allclose(sum(share[0][number] for share in shares), expected, atol=1e-5)
