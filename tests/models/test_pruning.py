"""Heads removed for good give what heads scaled to zero give; layers dropped leave the states of those below."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.models.small_bert import VARIANTS, made
from tests.models.small_bert import batch as token_batch
from tests.models.tiny import write_tiny
from tests.models.tiny_elmo import write_elmo

from wordworth.errors import BadInput
from wordworth.models.activation_taps import Taps
from wordworth.models.batch import pack
from wordworth.models.load import load
from wordworth.models.pruning import (
    first_layers,
    load_with_heads,
    require_all_heads,
    require_heads,
    with_zero_heads,
    without_heads,
)
from wordworth.models.read_encoder import read_encoder
from wordworth.models.save_encoder import save

TYPES = ["bert", "distilbert", "roberta", "xlm-roberta", "gpt2"]
TEXTS = ["the cab", "a", "is it a bad idea?", "we met at the bar, then."]
PRUNED = [(0, 1), (1, 0), (1, 3), (0, 2)]


@pytest.fixture(scope="module")
def encoders(tmp_path_factory):
    folder = tmp_path_factory.mktemp("families")
    return {name: read_encoder(write_tiny(folder / name, name), name=name) for name in TYPES}


def scale_without(model, heads):
    scale = torch.ones(model.config.num_layers, model.config.num_heads)
    for layer, head in heads:
        scale[layer, head] = 0
    return scale


def batch_of(encoder, texts):
    return pack(encoder.tokenizer.encode(texts))


def outputs(model, batch, scale=None):
    with torch.inference_mode():
        return model(batch, head_scale=scale)


@pytest.mark.parametrize("model_type", TYPES)
def test_removed_heads_give_the_outputs_of_heads_scaled_to_zero(encoders, model_type):
    model = encoders[model_type].model
    batch = batch_of(encoders[model_type], TEXTS)
    expected = outputs(model, batch, scale_without(model, PRUNED))
    for smaller in (without_heads(model, PRUNED), with_zero_heads(model, PRUNED)):
        assert (outputs(smaller, batch) - expected).abs().max() <= 1e-5
    assert not torch.allclose(outputs(model, batch), expected, atol=1e-3)


@pytest.mark.parametrize("model_type", TYPES)
def test_each_removed_head_saves_four_maps_of_its_size_and_three_biases(encoders, model_type):
    model = encoders[model_type].model
    config = model.config
    saved = sum(map(torch.numel, model.parameters())) - sum(map(torch.numel, without_heads(model, PRUNED).parameters()))
    assert saved == len(PRUNED) * (4 * config.hidden_size * config.head_size + 3 * config.head_size)


@pytest.mark.parametrize("variant", VARIANTS)
def test_heads_of_our_own_models_are_removed_as_exactly(variant):
    model, batch = made(VARIANTS[variant]).double(), token_batch(6, 3, 1)  # large weights: float32 rounds by over 1e-5
    config, pruned = model.config, without_heads(model, PRUNED)
    expected = outputs(model, batch, scale_without(model, PRUNED).double())
    for smaller in (pruned, with_zero_heads(model, PRUNED)):
        assert (outputs(smaller, batch) - expected).abs().max() <= 1e-5
    assert (outputs(model, batch) - expected).abs().max() > 1e-3
    saved = sum(map(torch.numel, model.parameters())) - sum(map(torch.numel, pruned.parameters()))
    biases = 3 * config.head_size if config.biases else 0
    assert saved == len(PRUNED) * (4 * config.hidden_size * config.head_size + biases)


def summed_heads(model, batch, layer):
    """The sum over heads of (A_h V_h) W_h and the bias (Michel et al. 2019, equation 2), and what attention gives."""
    name = f"layers.{layer}.attention"
    taps = Taps(read=(f"{name}.*",))
    with torch.inference_mode():
        model(batch, taps)
    probabilities, value, output = (taps.seen[f"{name}.{each}"] for each in ("probabilities", "value", "output"))
    linear, size = model.body.layers[layer].attention.output, model.config.head_size
    total = torch.zeros_like(output[0]) if linear.bias is None else linear.bias.expand_as(output[0]).clone()
    for head in range(model.config.num_heads):
        weight = linear.weight[:, head * size : (head + 1) * size]
        for maps, first, last in zip(probabilities, batch.starts[:-1].tolist(), batch.starts[1:].tolist(), strict=True):
            total[first:last] += maps[head] @ value[0][first:last, head] @ weight.T
    return total, output[0]


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("model_type", TYPES)
def test_the_output_of_attention_is_the_sum_of_what_its_heads_add(encoders, model_type, layer):
    total, output = summed_heads(encoders[model_type].model, batch_of(encoders[model_type], TEXTS), layer)
    assert (total - output).abs().max() <= 1e-5


@pytest.mark.parametrize("layer", [0, 1])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_output_of_attention_of_our_own_models_is_that_sum_too(variant, layer):
    total, output = summed_heads(made(VARIANTS[variant]).double(), token_batch(6, 3, 1), layer)
    assert (total - output).abs().max() <= 1e-10
    assert output.abs().max() > 0.1


@pytest.mark.parametrize("model_type", TYPES)
def test_heads_scaled_by_one_change_nothing(encoders, model_type):
    model, batch = encoders[model_type].model, batch_of(encoders[model_type], TEXTS)
    assert torch.equal(outputs(model, batch, scale_without(model, [])), outputs(model, batch))


@pytest.mark.parametrize("variant", VARIANTS)
def test_heads_of_our_own_models_scaled_by_one_change_nothing(variant):
    model, batch = made(VARIANTS[variant]), token_batch(6, 3, 1)
    assert torch.equal(outputs(model, batch, scale_without(model, [])), outputs(model, batch))


@pytest.mark.parametrize("model_type", TYPES)
def test_a_pruned_model_is_the_same_after_saving_and_loading(encoders, model_type, tmp_path):
    encoder = encoders[model_type]
    pruned = encoder.with_model(without_heads(encoder.model, PRUNED))
    save(pruned, tmp_path / "small")
    loaded = load(tmp_path / "small")
    assert loaded.model.config.pruned_heads == ((1, 2), (0, 3))
    assert np.allclose(loaded.encode(TEXTS), pruned.encode(TEXTS), atol=1e-5)
    again = without_heads(loaded.model, [(0, 0)])
    assert again.config.pruned_heads == ((0, 1, 2), (0, 3))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8"])
def test_fast_kernels_run_a_pruned_model_as_they_run_a_whole_one(encoders, tmp_path, dtype):
    encoder = encoders["bert"]
    save(encoder.with_model(without_heads(encoder.model, PRUNED)), tmp_path / "small")
    fast = load(tmp_path / "small", dtype=dtype)
    vectors, exact = fast.encode(TEXTS), encoder.with_model(fast.model).encode(TEXTS)
    cosines = (vectors * exact).sum(1) / np.linalg.norm(vectors, axis=1) / np.linalg.norm(exact, axis=1)
    assert np.allclose(cosines, 1, atol={"float32": 1e-6, "bfloat16": 1e-3, "int8": 1e-2}[dtype])


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_removing_heads_one_by_one_or_at_once_is_the_same(encoders, data):
    model = encoders["bert"].model
    every = [(layer, head) for layer in range(2) for head in range(4)]
    heads = data.draw(st.lists(st.sampled_from(every), unique=True, max_size=6))
    removed = [sum(layer == each for layer, _ in heads) for each in range(2)]
    if max(removed, default=0) == 4:
        with pytest.raises(BadInput, match="would lose every head"):
            without_heads(model, heads)
        return
    at_once, stepwise = without_heads(model, heads), model
    for head in heads:
        stepwise = without_heads(stepwise, [head])
    assert stepwise.config == at_once.config or not heads
    weights = at_once.state_dict()
    assert all(torch.equal(value, weights[name]) for name, value in stepwise.state_dict().items())


def test_a_factor_for_each_head_keeps_the_numbers_of_the_whole_model(encoders):
    encoder = encoders["bert"]
    batch, pruned = batch_of(encoder, TEXTS), without_heads(encoder.model, [(0, 1)])
    scaled = outputs(pruned, batch, scale_without(pruned, [(0, 2)]))
    assert torch.allclose(scaled, outputs(encoder.model, batch, scale_without(pruned, [(0, 1), (0, 2)])), atol=1e-5)


@pytest.mark.parametrize("model_type", TYPES)
def test_the_first_layers_give_the_states_below_the_dropped_ones(encoders, model_type):
    encoder = encoders[model_type]
    batch = batch_of(encoder, TEXTS)
    short = first_layers(encoder.model, 1)
    assert short.depth == 1
    state = list(encoder.model.states(batch))[1]
    expected = state if short.body.final_norm is None else encoder.model.body.final_norm(state)
    assert torch.allclose(list(short.states(batch))[1], expected, atol=1e-6)


def test_heads_and_layers_that_are_not_there_are_refused(encoders):
    model = encoders["bert"].model
    for heads in ([(0, 4)], [(2, 0)], [(-1, 0)], [(0, 1), (0, 1)]):
        with pytest.raises(BadInput, match="there is no head"):
            without_heads(model, heads)
    for layers in (0, 3):
        with pytest.raises(BadInput, match="cannot be kept of 2"):
            first_layers(model, layers)


def test_a_model_without_attention_has_no_heads_to_remove(tmp_path):
    lstm = read_encoder(write_elmo(tmp_path / "elmo"))
    with pytest.raises(BadInput, match="this model has no attention heads"):
        require_heads(lstm.model, "elmo")


def test_heads_are_read_of_transformers_alone(tmp_path):
    encoder = load_with_heads(str(write_tiny(tmp_path / "tiny")))
    assert encoder.model.config.num_heads == 4
    with pytest.raises(BadInput, match="glove: this model has no attention heads"):
        load_with_heads("glove")


def test_a_pruned_model_is_not_studied_as_if_it_were_whole(encoders):
    assert require_all_heads(encoders["bert"].model, "bert") is encoders["bert"].model
    with pytest.raises(BadInput, match=r"pruned already; .* read this one as it is"):
        require_all_heads(without_heads(encoders["bert"].model, PRUNED), "small")
