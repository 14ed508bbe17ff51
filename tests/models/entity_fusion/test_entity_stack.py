"""A stack with entities is the text encoder's where there are none, and reads a table that is never trained."""

import torch

from wordworth.models.batch import Batch
from wordworth.models.read_encoder import read_encoder


def batch(entity):
    ids = torch.tensor([2, 6, 7, 8, 3, 2, 9, 6, 3])
    features = {} if entity is None else {"entity": torch.tensor(entity)}
    return Batch(ids, torch.zeros_like(ids), torch.tensor([0, 5, 9], dtype=torch.int32), features=features)


NOTHING = [-1] * 9
ONE = [-1, 2, -1, -1, -1, -1, -1, -1, -1]


def test_texts_without_entities_have_the_states_of_the_text_encoder_to_the_bit(fused_folder):
    fused, plain = (read_encoder(fused_folder.parent / name).model for name in ("fused", "encoder"))
    text = batch(None)
    for ours, theirs, unlinked in zip(
        fused.states(text), plain.states(text), fused.states(batch(NOTHING)), strict=True
    ):
        assert torch.equal(ours, theirs)
        assert torch.equal(unlinked, theirs)


def test_an_entity_changes_the_tokens_of_its_own_sequence_alone(fused_folder):
    model = read_encoder(fused_folder).model
    without, with_one = model(batch(NOTHING)), model(batch(ONE))
    assert not torch.isclose(without[1], with_one[1], atol=1e-3).all()
    assert torch.allclose(without[5:], with_one[5:], atol=1e-5)


def test_entities_of_a_sequence_see_each_other(fused_folder):
    model = read_encoder(fused_folder).model
    two = [-1, 2, -1, 4, -1, -1, -1, -1, -1]
    other = [-1, 2, -1, 3, -1, -1, -1, -1, -1]
    assert not torch.equal(model(batch(two))[1], model(batch(other))[1])


def test_no_gradient_flows_into_the_table_and_every_weight_has_one(fused_folder):
    model = read_encoder(fused_folder).model.train()
    model(batch(ONE)).square().sum().backward()
    assert not model.body.entities.requires_grad
    assert "body.entities" in model.state_dict()
    without = [name for name, each in model.named_parameters() if each.grad is None and "pooler" not in name]
    assert without == []


def test_a_step_without_any_entity_has_gradients_of_zero_for_the_new_weights(fused_folder):
    model = read_encoder(fused_folder).model.train()
    model(batch(NOTHING)).square().sum().backward()
    new = [each.grad for name, each in model.named_parameters() if "entity" in name]
    assert new
    assert all(grad is not None and not grad.any() for grad in new)
