"""An aggregator computes the equations of ERNIE (Zhang et al. 2019, section 3.3), step by step in numpy.

A stack with entities is the text encoder's where there are none, and reads a table that is never trained.
"""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from tests.models.tiny import loud_

from wordworth.models.batch import Batch
from wordworth.models.entity_fusion.entity_stack import Aggregator, Mentions
from wordworth.models.length_buckets import PackedLayout
from wordworth.models.read_encoder import read_encoder
from wordworth.models.transformer import Layer
from wordworth.models.transformer_config import TransformerConfig

CONFIG = TransformerConfig(hidden_size=12, num_heads=3, intermediate_size=20, norm_eps=1e-5)
STARTS, POSITIONS, BOUNDS = [0, 4, 9], [1, 5, 8], [0, 1, 3]
ERF = np.vectorize(math.erf)


def gelu(x):
    return x * (1 + ERF(x / math.sqrt(2))) / 2


def norm(x, layer):
    gain, bias = (each.detach().numpy() for each in (layer.weight, layer.bias))
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5) * gain + bias


def linear(x, layer):
    bias = 0 if layer.bias is None else layer.bias.detach().numpy()
    return x @ layer.weight.detach().numpy().T + bias


def attention(x, starts, layer, heads):
    """Softmax attention within each sequence, head by head."""
    result, size = np.zeros_like(x), x.shape[1] // heads
    query, key, value = np.split(linear(x, layer.qkv), 3, axis=1)
    for begin, end in pairwise(starts):
        for head in range(heads):
            part = slice(begin, end), slice(head * size, (head + 1) * size)
            scores = np.exp(query[part] @ key[part].T / math.sqrt(size))
            result[part] = scores / scores.sum(1, keepdims=True) @ value[part]
    return linear(result, layer.output)


def by_the_equations(layer, w, e):
    w = norm(w + attention(w, STARTS, layer.attention, 3), layer.attention_norm)
    e = norm(e + attention(e, BOUNDS, layer.entity_attention, 2), layer.entity_attention_norm)
    masked = np.zeros((len(w), e.shape[1]), dtype=np.float64)
    masked[POSITIONS] = e  # tokens without an entity have the zero vector
    h = gelu(linear(w, layer.mlp.up) + linear(masked, layer.entity_up))
    new_e = norm(e + linear(h[POSITIONS], layer.entity_down), layer.entity_norm)
    return norm(w + linear(h, layer.mlp.down), layer.mlp_norm), new_e


@pytest.fixture(scope="module")
def layer():
    made = Aggregator(CONFIG, 3, entity_size=6, entity_heads=2, last=False).double().eval()
    loud_(made)
    return made.double()


def inputs():
    generator = torch.Generator().manual_seed(1)
    x, e = (torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in ((9, 12), (3, 6)))
    mentions = Mentions(e, torch.tensor(POSITIONS), PackedLayout(torch.tensor(BOUNDS, dtype=torch.int32)))
    return x, mentions


def test_tokens_and_entities_are_those_of_the_equations(layer):
    x, mentions = inputs()
    tokens, after = layer.fused(x, PackedLayout(torch.tensor(STARTS, dtype=torch.int32)), mentions)
    expected, entities = by_the_equations(layer, x.numpy(), mentions.vectors.numpy())
    np.testing.assert_allclose(tokens.detach(), expected, atol=1e-10)
    np.testing.assert_allclose(after.vectors.detach(), entities, atol=1e-10)


def test_without_entities_it_is_a_layer_of_bert(layer):
    x, mentions = inputs()
    nothing = Mentions(mentions.vectors[:0], torch.zeros(0, dtype=torch.int64), PackedLayout(torch.zeros(3).int()))
    sequences = PackedLayout(torch.tensor(STARTS, dtype=torch.int32))
    plain = Layer(CONFIG, 3).double().eval()
    plain.load_state_dict({name: value for name, value in layer.state_dict().items() if "entity" not in name})
    assert torch.equal(layer.fused(x, sequences, nothing)[0], plain(x, sequences))


def test_the_last_one_has_no_weights_for_entities_that_nobody_reads():
    made = Aggregator(CONFIG, 3, entity_size=6, entity_heads=2, last=True)
    assert not any("entity_down" in name or "entity_norm" in name for name, _ in made.named_parameters())
    x, mentions = inputs()
    _, after = made.double().fused(x, PackedLayout(torch.tensor(STARTS, dtype=torch.int32)), mentions)
    assert after.vectors.shape == mentions.vectors.shape


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
