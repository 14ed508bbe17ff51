import pytest
import torch
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.families.base import Fields
from wordworth.models.families.modernbert import MODERNBERT
from wordworth.models.load import load


def test_modernbert_base_has_as_many_numbers():
    """149.0 million: 50,368 words and 22 layers without biases; the first has no norm before its attention."""
    with torch.device("meta"):
        model = MODERNBERT.build(MODERNBERT.read(Fields({}, "")))
    layer = 4 * 768 * 768 + 3 * 768 * 1152 + 2 * 768
    assert sum(parameter.numel() for parameter in model.parameters()) == 50_368 * 768 + 22 * layer + 768


def test_former_and_present_names_of_fields_say_the_same():
    present = MODERNBERT.write(MODERNBERT.read(Fields({}, "")))
    former = {name: value for name, value in present.items() if name not in {"layer_types", "rope_parameters"}}
    assert MODERNBERT.read(Fields(former, "")) == MODERNBERT.read(Fields(present, ""))


def test_one_layer_in_three_sees_the_whole_text():
    config = MODERNBERT.read(Fields({}, ""))
    assert [layer for layer in range(config.num_layers) if not config.is_local(layer)] == [0, 3, 6, 9, 12, 15, 18, 21]
    assert (config.window, config.rotary_base, config.local_rotary_base) == (64, 160_000.0, 10_000.0)


@pytest.mark.parametrize(
    "changes",
    [
        {"layer_types": ["full_attention", "full_attention", "sliding_attention"], "num_hidden_layers": 3},
        {"layer_types": "full_attention"},
        {"rope_parameters": {"full_attention": {"rope_type": "yarn"}}},
        {"rope_parameters": [160_000]},
        {"norm_bias": True},
        {"attention_bias": True},
        {"local_attention": 0},
    ],
)
def test_a_setting_that_is_not_implemented_is_refused(changes):
    with pytest.raises(BadInput):
        MODERNBERT.read(Fields(changes, "config.json"))


def test_a_token_far_away_reaches_a_text_only_through_layers_that_see_it(tmp_path):
    folder = write_tiny(tmp_path / "tiny", "modernbert", layer_types=["full_attention", *["sliding_attention"] * 3])
    encoder = load(folder)
    stack = encoder.model.body.upper(1)
    x = torch.randn(20, 32, generator=torch.Generator().manual_seed(0))
    changed = x.clone()
    changed[0] += 1
    starts = torch.tensor([0, 20], dtype=torch.int32)
    pairs = zip(stack.states(x, starts), stack.states(changed, starts), strict=True)
    apart = [(before - after).abs().amax(1) for before, after in pairs]
    reached = [int((layer > 0).nonzero().max()) for layer in apart]
    assert reached == [0, 2, 4, 6]
