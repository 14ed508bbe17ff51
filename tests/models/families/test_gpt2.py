"""GPT-2 as published: its sizes and its last norm."""

from dataclasses import replace

import pytest
import torch
from tests.models.small_bert import batch
from tests.models.tiny import loud_

from wordworth.models.families.gpt2 import Gpt2Config, gpt2


def parameters(*modules: torch.nn.Module) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


@pytest.mark.parametrize(
    ("layers", "width", "heads", "expected"),
    [
        (12, 768, 12, 124_439_808),
        (24, 1024, 16, 354_823_168),
        (36, 1280, 20, 774_030_080),
        (48, 1600, 25, 1_557_611_200),
    ],
)
def test_every_gpt2_has_its_number_of_parameters(layers, width, heads, expected):
    config = Gpt2Config(hidden_size=width, num_layers=layers, num_heads=heads, intermediate_size=4 * width)
    with torch.device("meta"):
        assert parameters(gpt2(config)) == expected


def test_the_last_layer_before_the_final_norm_can_be_asked_for():
    config = Gpt2Config(vocab_size=50, hidden_size=32, num_layers=2, num_heads=4, intermediate_size=48)
    after, before = gpt2(config).eval(), gpt2(replace(config, last_layer="before_final_norm")).eval()
    loud_(after)
    before.load_state_dict(after.state_dict())
    with torch.no_grad():
        assert torch.allclose(after.body.final_norm(before(batch(6))), after(batch(6)), atol=1e-6)
        assert not torch.allclose(before(batch(6)), after(batch(6)), atol=1e-2)
