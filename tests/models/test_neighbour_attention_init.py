"""The start at neighbours: where the first layer's heads look before anything is learned."""

from dataclasses import replace

import pytest
import torch

from wordworth.errors import BadInput
from wordworth.models.activation_taps import Taps
from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.neighbour_attention_init import init_neighbour_attention, rotation, sinusoids
from wordworth.models.transformer import init_weights

CONFIG = BertConfig(vocab_size=60, hidden_size=256, num_layers=2, num_heads=4, intermediate_size=512, max_positions=64)


def started():
    model = bert(CONFIG)
    init_weights(model, CONFIG.initializer_range, torch.Generator().manual_seed(0))
    init_neighbour_attention(model)
    return model.eval()


def probabilities(model, length):
    ids = torch.randint(0, 60, (length,), generator=torch.Generator().manual_seed(1))
    batch = Batch(ids, torch.zeros_like(ids), torch.tensor([0, length], dtype=torch.int32))
    taps = Taps(read=("layers.0.attention.probabilities",))
    with torch.no_grad():
        model(batch, taps=taps)
    return taps.seen["layers.0.attention.probabilities"][0]


@pytest.mark.parametrize(("head", "distance"), [(0, -1), (1, 1), (2, -2), (3, 2)])
def test_each_head_of_the_first_layer_looks_most_at_its_own_distance(head, distance):
    seen = probabilities(started(), 40)[head]
    middle = torch.arange(5, 35)
    assert (seen.argmax(-1)[middle] == middle + distance).float().mean() > 0.9
    assert seen[middle, middle + distance].mean() > 3 / 40


def test_queries_and_keys_meet_at_the_distance_and_nowhere_better():
    places = sinusoids(64, 256)
    query, key = rotation(256, 64, -2, peak=6.0)
    scores = (places @ query.T) @ (places @ key.T).T / 8
    middle = torch.arange(10, 54)
    assert torch.allclose(scores[middle, middle - 2], torch.full((44,), 6.0), atol=1e-4)
    assert (scores[middle].argmax(-1) == middle - 2).all()


def test_values_and_later_layers_stay_as_they_were_drawn():
    plain = bert(CONFIG)
    init_weights(plain, CONFIG.initializer_range, torch.Generator().manual_seed(0))
    changed = {
        name for name, value in started().state_dict().items() if not torch.equal(value, plain.state_dict()[name])
    }
    assert changed == {"embedding.position.weight", "body.layers.0.attention.qkv.weight"}
    width = CONFIG.hidden_size
    drawn, now = (model.body.layers[0].attention.qkv.weight[2 * width :] for model in (plain, started()))
    assert torch.equal(drawn, now)


def test_a_model_without_a_table_of_positions_says_so():
    model = bert(replace(CONFIG, positions="rotary"))
    with pytest.raises(BadInput, match="learned positions"):
        init_neighbour_attention(model)
