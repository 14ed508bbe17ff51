"""The layers, by the papers: activations, norms, rotary positions, initialisation."""

from dataclasses import replace

import pytest
import torch
from tests.models.small_bert import CONFIG

from wordworth.models.families.bert import BertConfig, bert
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


def test_rotary_positions_tell_distances_not_places():
    """A score depends on how far apart query and key are: shifting both changes nothing (arXiv 2104.09864, eq. 11)."""
    from wordworth.models.transformer import rotary_angles, rotate

    config = replace(CONFIG, positions="rotary")
    q, k = torch.randn(2, 1, 4, 8, generator=torch.Generator().manual_seed(0)).expand(2, 12, 4, 8)
    angles = rotary_angles(torch.tensor([0, 12]), config)
    scores = torch.einsum("qhd,khd->hqk", rotate(q, angles), rotate(k, angles))
    assert torch.allclose(scores[:, 1:, 1:], scores[:, :-1, :-1], atol=1e-5)
    assert not torch.allclose(scores[:, 0, 0], scores[:, 0, 5], atol=1e-2)


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


def test_a_width_that_heads_cannot_share_is_refused():
    with pytest.raises(ValueError, match="not a multiple"):
        BertConfig(hidden_size=30, num_heads=4)
