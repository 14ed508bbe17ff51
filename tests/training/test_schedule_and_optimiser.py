"""The optimiser and the schedules at their published values."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from wordworth.training.optimiser import AdamW
from wordworth.training.schedule import linear, original, within

STEPS = (0, 1, 99, 100, 550, 1000)


def test_the_original_schedule_drops_at_the_end_of_warm_up():  # E17
    assert [1e-4 * original(1000, 100)(t) for t in STEPS] == pytest.approx(
        [0, 0.01e-4, 0.99e-4, 0.90e-4, 0.45e-4, 0], abs=1e-12
    )


def test_the_usual_schedule_starts_its_descent_at_the_peak():  # E17, as torch users know it
    assert [linear(1000, 100)(t) for t in STEPS] == pytest.approx([0, 0.01, 0.99, 1.0, 0.5, 0])


@given(steps=st.integers(1, 3000), warmup=st.floats(0, 0.5))
def test_no_update_of_a_run_has_rate_zero_and_the_peak_is_reached_at_most_once(steps, warmup):
    shares = [within(linear, steps, warmup=warmup)(t) for t in range(steps)]
    assert min(shares) > 0
    assert max(shares) <= 1
    top = shares.index(max(shares))
    assert shares == sorted(shares[: top + 1]) + sorted(shares[top + 1 :], reverse=True)


def test_adamw_takes_the_steps_of_the_bias_corrected_form():  # E16, second row
    layer = nn.Linear(1, 1)
    layer.weight.data.fill_(1.0)
    optimiser = AdamW().build({layer: 1e-3})
    values = []
    for gradient in (0.5, -0.25, 0.1):
        layer.weight.grad = torch.full((1, 1), gradient)
        optimiser.step()
        values.append(layer.weight.item())
    assert values == pytest.approx([0.99899000, 0.99871368, 0.99838845], abs=1e-7)


def test_biases_and_norms_are_not_decayed_and_each_module_has_its_rate():
    body, head = nn.Sequential(nn.Linear(3, 3), nn.LayerNorm(3), nn.Embedding(4, 3)), nn.Linear(3, 2)
    body[2].weight.requires_grad_(False)
    groups = AdamW(weight_decay=0.1).build({body: 1e-4, head: 1e-3}).param_groups
    found = [(g["peak"], g["weight_decay"], sorted(tuple(p.shape) for p in g["params"])) for g in groups]
    assert found == [
        (1e-4, 0.1, [(3, 3)]),
        (1e-4, 0.0, [(3,), (3,), (3,)]),
        (1e-3, 0.1, [(2, 3)]),
        (1e-3, 0.0, [(2,)]),
    ]
