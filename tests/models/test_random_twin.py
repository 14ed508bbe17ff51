"""A random twin has the shape of its encoder and other weights; the encoder keeps its own."""

import torch

from wordworth.models.random_twin import random_twin


def test_weights_are_drawn_anew_and_the_encoder_keeps_its_own(tiny):
    before = {name: weight.clone() for name, weight in tiny.model.state_dict().items()}
    twin, again, other = (random_twin(tiny.model, seed) for seed in (0, 0, 1))
    assert all(torch.equal(weight, before[name]) for name, weight in tiny.model.state_dict().items())
    matrices = [name for name, weight in before.items() if weight.dim() == 2]
    assert matrices
    for name in matrices:
        assert twin.state_dict()[name].shape == before[name].shape
        assert not torch.equal(twin.state_dict()[name], before[name])
        assert torch.equal(twin.state_dict()[name], again.state_dict()[name])
        assert not torch.equal(twin.state_dict()[name], other.state_dict()[name])
