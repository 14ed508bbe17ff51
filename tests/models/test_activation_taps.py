"""Inner values have names; they can be read, scaled and replaced, and a wrong name is told the nearest."""

import pytest
import torch
from tests.models.small_bert import CONFIG, VARIANTS, batch, made

from wordworth.models.activation_taps import ATTENTION, Taps, by_layer
from wordworth.models.families.bert import bert
from wordworth.models.length_buckets import PackedLayout


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_name_of_a_model_can_be_read_and_reading_changes_nothing(variant):
    model, one = made(VARIANTS[variant]), batch(5, 3)
    taps = Taps(read=("*",))
    with torch.no_grad():
        tapped = model(one, taps)
        if model.pooler is not None:
            model.pool(tapped, one.starts, taps)
        assert torch.allclose(tapped, model(one), atol=1e-5 * float(tapped.abs().max()))
    assert set(taps.seen) == set(model.tap_names())


def test_values_read_have_the_shapes_that_their_names_promise():
    model, taps = made(CONFIG), Taps(read=("layers.1.*", "embedding"))
    with torch.no_grad():
        model(batch(5, 3), taps)
    shapes = {name: [tuple(value.shape) for value in values] for name, values in taps.seen.items()}
    assert shapes["layers.1.attention.probabilities"] == [(4, 5, 5), (4, 3, 3)]
    assert shapes["layers.1.attention.heads"] == [(8, 4, 8)]
    assert shapes["layers.1.mlp.hidden"] == [(8, 48)]
    assert shapes["embedding"] == shapes["layers.1.output"] == [(8, 32)]


def test_a_layers_output_replaced_is_what_the_next_layer_reads():
    model, one = made(CONFIG), batch(5)
    put = torch.randn(5, 32, generator=torch.Generator().manual_seed(4))
    with torch.no_grad():
        found = model(one, Taps(change={"layers.0.output": lambda _: put}))
        expected = model.body.layers[1](put, PackedLayout(one.starts))
    assert torch.equal(found, expected)


def test_removing_a_head_equals_removing_its_columns_from_the_map_behind_it():
    model, one, pruned = made(CONFIG), batch(6, 2), made(CONFIG)
    pruned.body.layers[1].attention.output.weight.data[:, 8:16] = 0
    without = torch.tensor([1.0, 0.0, 1.0, 1.0])[:, None]
    with torch.no_grad():
        found = model(one, Taps(change={"layers.1.attention.heads": lambda heads: heads * without}))
        assert torch.allclose(found, pruned(one), atol=1e-5 * float(found.abs().max()))


def test_attention_can_be_replaced_by_looking_at_the_first_token_only():
    model, one = made(CONFIG), batch(4, 3)
    first = Taps(
        change={"layers.0.attention.probabilities": lambda p: torch.eye(p.shape[-1])[0].expand_as(p)},
        read=("layers.0.attention.heads", "layers.0.attention.value"),
    )
    with torch.no_grad():
        model(one, first)
    value, heads = (first.seen[f"layers.0.attention.{name}"][0] for name in ("value", "heads"))
    assert torch.allclose(heads[:4], value[0].expand(4, 4, 8))
    assert torch.allclose(heads[4:], value[4].expand(3, 4, 8))


def test_a_name_that_is_not_there_is_told_the_nearest():
    model = bert(CONFIG)
    with pytest.raises(LookupError, match=r"did you mean 'layers\.1.attention.probabilities'"):
        model(batch(2), Taps(read=("layers.1.attention.probabilitys",)))
    with pytest.raises(LookupError, match=r"layers\.9"):
        model(batch(2), Taps(change={"layers.9.output": torch.relu}))


def test_values_of_one_name_come_layer_by_layer_without_those_of_other_names():
    values = {f"layers.{layer}.attention.probabilities": layer for layer in (10, *range(10))}
    others = {"embedding": -1, "layers.0.output": -2, "layers.11.output": -3}
    assert by_layer({**others, **values}, ATTENTION) == list(range(11))
    assert by_layer({**others, **values}, "layers.*.output") == [-2]
