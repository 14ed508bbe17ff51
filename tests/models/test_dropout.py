"""Dropout draws from the generator that it was given, and from nothing else."""

import numpy as np
import pytest
import torch

from wordworth.models.dropout import Dropout, draw_from


def seeded(rate, seed=0):
    dropout = Dropout(rate)
    draw_from(dropout, np.random.default_rng(seed))
    return dropout


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_tenth_is_dropped_and_the_rest_grows_to_keep_the_mean(dtype):
    values = seeded(0.1)(torch.ones(1000, 300, dtype=dtype))
    assert (values == 0).float().mean().item() == pytest.approx(0.1, abs=0.002)
    assert values[values != 0].unique().tolist() == pytest.approx([1 / 0.9], rel=4e-3)


def test_the_same_generator_drops_the_same_and_leaves_torchs_own_untouched():
    before = torch.get_rng_state()
    first, second, other = (seeded(0.5, seed)(torch.ones(7, 5)) for seed in (0, 0, 1))
    assert torch.equal(first, second)
    assert not torch.equal(first, other)
    assert torch.equal(before, torch.get_rng_state())


def test_adding_a_branch_drops_of_the_branch_alone():
    values, branch = torch.randn(6, 5), torch.randn(6, 5)
    found = seeded(0.3).added(values, branch)
    assert torch.allclose(found, values + seeded(0.3)(branch))


def test_gradients_flow_where_nothing_was_dropped():
    branch = torch.ones(50, 4, requires_grad=True)
    found = seeded(0.5).added(torch.zeros(50, 4), branch)
    found.sum().backward()
    assert torch.equal(branch.grad, found.detach())


def test_outside_training_or_at_rate_zero_nothing_changes():
    values = torch.randn(4, 4)
    assert seeded(0.5).eval()(values) is values
    assert seeded(0.0)(values) is values


def test_nothing_stays_nothing_and_draws_nothing():
    dropout, draws = Dropout(0.5).train(), np.random.default_rng(0)
    dropout.draws = draws
    empty = torch.zeros(0, 3)
    assert dropout.added(empty, empty).shape == dropout(empty).shape == (0, 3)
    assert draws.integers(1 << 30) == np.random.default_rng(0).integers(1 << 30)
