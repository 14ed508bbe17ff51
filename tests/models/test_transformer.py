"""The layers, by the papers: activations, norms, rotary positions, initialisation."""

from dataclasses import replace

import pytest
import torch
from tests.models.small_bert import CONFIG

from wordworth.models.families.bert import bert
from wordworth.models.transformer import ACTIVATIONS, init_weights


def test_gelu_has_its_two_published_forms():
    x = torch.tensor([-1.0, 0.5, 1.0, 3.0], dtype=torch.float64)
    tanh = torch.tensor([-0.15880801, 0.34571401, 0.84119199, 2.99636261], dtype=torch.float64)
    erf = torch.tensor([-0.15865525, 0.34573123, 0.84134475, 2.99595031], dtype=torch.float64)
    assert torch.allclose(ACTIVATIONS["gelu_tanh"](x), tanh, atol=5e-9, rtol=0)
    assert torch.allclose(ACTIVATIONS["gelu_erf"](x), erf, atol=5e-9, rtol=0)


def test_layer_norm_is_of_the_biased_variance():
    norm = bert(replace(CONFIG, hidden_size=4, num_heads=1, norm_eps=1e-12)).embedding.norm
    expected = torch.tensor([-1.34164079, -0.44721360, 0.44721360, 1.34164079])
    assert torch.allclose(norm(torch.tensor([1.0, 2.0, 3.0, 4.0])), expected, atol=1e-7)


def test_fresh_weights_are_a_normal_cut_at_two_deviations():
    model = bert(replace(CONFIG, vocab_size=5000, hidden_size=64))
    init_weights(model, 0.02, torch.Generator().manual_seed(0))
    words = model.embedding.word.weight
    assert words.abs().max() <= 0.04
    assert float(words.detach().std()) == pytest.approx(0.01759, rel=0.01)
    assert model.body.layers[0].mlp.up.bias.abs().max() == 0
    assert torch.equal(model.body.layers[1].mlp_norm.weight, torch.ones(64))


def test_the_same_generator_draws_the_same_fresh_weights():
    models = [bert(CONFIG), bert(CONFIG)]
    for model in models:
        init_weights(model, 0.02, torch.Generator().manual_seed(5))
    assert all(torch.equal(one, other) for one, other in zip(*(m.parameters() for m in models), strict=True))
