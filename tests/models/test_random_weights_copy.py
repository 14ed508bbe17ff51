"""A random twin has the shape of its encoder and other weights; the encoder keeps its own."""

import torch
from tests.models.language_models import a_language_model

from wordworth.models.random_weights_copy import random_head, random_twin


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


def test_a_head_drawn_anew_prefers_no_word(tmp_path):
    model = a_language_model(tmp_path, "bert")
    before = {name: weight.clone() for name, weight in model.head.state_dict().items()}
    twin = random_head(model.head, model.encoder, 0)
    assert all(torch.equal(weight, before[name]) for name, weight in model.head.state_dict().items())
    assert before["bias"].abs().max() > 0
    assert twin.state_dict()["bias"].abs().max() == 0  # or it would know which words are frequent
    assert not torch.equal(twin.state_dict()["dense.weight"], before["dense.weight"])
