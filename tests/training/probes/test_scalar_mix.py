"""The scalar mix of Peters et al. 2018."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from wordworth.training.probes.scalar_mix import ScalarMix, mixed


@given(st.lists(st.floats(-20, 20), min_size=2, max_size=13), st.floats(-3, 3))
def test_weights_sum_to_1_and_gamma_scales(logits, gamma):
    mix = ScalarMix(len(logits))
    states = torch.randn(3, len(logits), 4, generator=torch.Generator().manual_seed(0))
    mix.logits.data = torch.tensor(logits)
    assert float(mix.shares.detach().sum()) == pytest.approx(1, abs=1e-6)
    once = mix(states)
    mix.gamma.data = torch.tensor(gamma)
    assert torch.allclose(mix(states), gamma * once, atol=1e-5)


def test_it_is_the_sum_by_hand():
    mix = ScalarMix(2)
    mix.logits.data = torch.log(torch.tensor([1.0, 3.0]))
    mix.gamma.data = torch.tensor(2.0)
    mix.scale.copy_(torch.tensor([1.0, 0.5]))
    states = torch.tensor([[[4.0, 0.0], [8.0, 16.0]]])
    assert mix(states).tolist() == [pytest.approx([2 * (0.25 * 4 + 0.75 * 0.5 * 8), 2 * 0.75 * 0.5 * 16])]


def test_a_single_layer_has_nothing_to_learn_and_passes_as_it_is():
    mix, states = ScalarMix(1), torch.randn(5, 1, 3)
    assert not any(parameter.requires_grad for parameter in mix.parameters())
    assert torch.equal(mix(states), states[:, 0])


def test_no_weight_of_a_layer_is_no_layer():
    states = torch.randn(5, 3, 4)
    assert torch.allclose(mixed(states, torch.tensor([0.5, 0.5, 0.0])), states[:, :2].mean(1))
