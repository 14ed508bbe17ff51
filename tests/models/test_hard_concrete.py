"""Hard concrete gates: how often they are 0, their values without noise, and that gradients flow."""

import pytest
import torch

from wordworth.models.hard_concrete import expected_gates, open_probability, sample_gates


@pytest.mark.parametrize("location", [-4.0, -1.0, 0.0, 1.5, 4.0])
def test_gates_are_open_as_often_as_the_formula_says(location):
    gates = sample_gates(torch.full((200_000,), location), torch.Generator().manual_seed(0))
    assert ((gates >= 0) & (gates <= 1)).all()
    assert float((gates > 0).float().mean()) == pytest.approx(
        float(open_probability(torch.tensor(location))), abs=0.005
    )


def test_without_noise_a_gate_is_half_open_at_zero_and_shut_or_open_far_from_it():
    assert expected_gates(torch.tensor([-5.0, 0.0, 5.0])).tolist() == pytest.approx([0.0, 0.5, 1.0])


def test_gradients_flow_to_the_location():
    location = torch.zeros(100, requires_grad=True)
    sample_gates(location, torch.Generator().manual_seed(0)).sum().backward()
    assert float(location.grad.sum()) > 0
