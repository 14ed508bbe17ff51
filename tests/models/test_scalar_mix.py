"""The learned mix of layers: a mean at first, and whatever it learns after."""

import pytest
import torch

from wordworth.models.scalar_mix import ScalarMix

LAYERS = torch.randn(3, 7, 4, generator=torch.Generator().manual_seed(0)) * torch.tensor([1.0, 5.0, 9.0])[:, None, None]


def test_a_fresh_mix_is_the_mean_of_the_layers():
    assert torch.allclose(ScalarMix(3)(LAYERS), LAYERS.mean(0), atol=1e-6)
    assert torch.equal(ScalarMix(3)(list(LAYERS)), ScalarMix(3)(LAYERS))


def test_weights_and_scale_do_what_the_equation_says():
    mix = ScalarMix(3)
    mix.weights.data = torch.tensor([1.0, -2.0, 0.5])
    mix.scale.data = torch.tensor(3.0)
    expected = 3 * torch.einsum("l,ltd->td", torch.tensor([1.0, -2.0, 0.5]).exp(), LAYERS)
    expected /= torch.tensor([1.0, -2.0, 0.5]).exp().sum()
    assert torch.allclose(mix(LAYERS), expected, atol=1e-5)
    assert mix.shares.sum().item() == pytest.approx(1)
    assert mix.penalty(0.1).item() == pytest.approx(0.1 * 5.25)
    assert ScalarMix(3).penalty(1.0).item() == 0


def test_normalised_layers_weigh_alike_whatever_their_scale():
    mix = ScalarMix(3, normalised=True)
    plain = [(layer - layer.mean()) / layer.std(correction=0) for layer in LAYERS]
    assert torch.allclose(mix(LAYERS), torch.stack(plain).mean(0), atol=1e-5)


def test_boundaries_can_be_left_out_of_mean_and_variance():
    counted = torch.tensor([False, *[True] * 5, False])
    loud = LAYERS.clone()
    loud[:, [0, -1]] = 1000
    mix = ScalarMix(3, normalised=True)
    inner = mix(LAYERS[:, 1:-1])
    assert torch.allclose(mix(loud, counted)[1:-1], inner, atol=1e-5)
    assert not torch.allclose(mix(loud)[1:-1], inner, atol=0.1)


def test_a_mix_of_other_layers_is_refused():
    with pytest.raises(ValueError, match=r"shorter|longer"):
        ScalarMix(3)(LAYERS[:2])


def test_the_mix_learns_which_layer_matters():
    mix = ScalarMix(3)
    weights = list(mix.parameters())
    for _ in range(300):
        loss = (mix(LAYERS) - 2 * LAYERS[1]).square().mean()
        for weight, gradient in zip(weights, torch.autograd.grad(loss, weights), strict=True):
            weight.data -= 0.01 * gradient
    assert mix.shares[1] > 0.9
    assert (mix.scale * mix.shares[1]).item() == pytest.approx(2, abs=0.2)
