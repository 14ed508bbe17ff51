"""The bidirectional language model: blind where it must be, and as a folder the same again."""

import numpy as np
import pytest
import torch
from tests.models.tiny import PIECES, loud_

from wordworth.models.activation_taps import Taps
from wordworth.models.batch import Batch
from wordworth.models.checkpoint import Checkpoint, read_checkpoint
from wordworth.models.dropout import draw_from
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.families.bilm import BILM, BilmConfig, bilm, matched
from wordworth.models.model_sizes import SHAPES
from wordworth.models.save_encoder import write_checkpoint
from wordworth.models.transformer import init_weights
from wordworth.models.weight_mapping import LoadReport

TINY = BilmConfig(vocab_size=len(PIECES), projection_size=8, cell_size=12, max_length=24)


def a_model(**changes):
    model = bilm(BilmConfig(**{**{name: getattr(TINY, name) for name in TINY.__slots__}, **changes})).eval()
    loud_(model)
    return model


def a_batch(*lengths, seed=0):
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(len(PIECES), (sum(lengths),), generator=generator)
    starts = torch.tensor([0, *torch.tensor(lengths).cumsum(0)], dtype=torch.int32)
    return Batch(ids, torch.zeros_like(ids), starts)


def alone(batch, number):
    part = slice(batch.starts[number], batch.starts[number + 1])
    return Batch(batch.ids[part], batch.segments[part], torch.tensor([0, len(batch.ids[part])], dtype=torch.int32))


def test_neither_direction_sees_the_other():
    model, batch = a_model(), a_batch(9)
    ahead, behind = a_batch(9), a_batch(9)
    ahead.ids[5:] = (ahead.ids[5:] + 1) % len(PIECES)
    behind.ids[:4] = (behind.ids[:4] + 1) % len(PIECES)
    for layer, states in enumerate(model.states(batch)):
        forward, backward = states.chunk(2, dim=1)
        later = list(model.states(ahead))[layer].chunk(2, dim=1)[0]
        earlier = list(model.states(behind))[layer].chunk(2, dim=1)[1]
        assert torch.equal(forward[:5], later[:5])
        assert torch.equal(backward[4:], earlier[4:])
        assert not torch.equal(forward[5:], later[5:])


def test_company_does_not_matter_and_the_same_text_twice_is_the_same():
    model, batch = a_model(), a_batch(5, 1, 7, 5)
    together = model(batch)
    for number in range(4):
        part = slice(batch.starts[number], batch.starts[number + 1])
        assert torch.allclose(model(alone(batch, number)), together[part], atol=1e-5)
    assert torch.equal(model(batch), together)


def test_states_are_the_input_twice_and_then_every_layer():
    model, batch = a_model(num_layers=3), a_batch(4, 3)
    states = list(model.states(batch))
    assert [tuple(state.shape) for state in states] == [(7, 16)] * 4
    assert torch.equal(states[0], torch.cat([model.embedding(batch)] * 2, dim=1))
    assert torch.equal(states[-1], model(batch))
    assert (model.depth, model.width) == (3, 16)
    taps = Taps(read=("layers.1.output",))
    model(batch, taps)
    assert torch.equal(taps.seen["layers.1.output"][0], states[2])


def test_a_layer_adds_its_input_where_residual():
    batch, plain = a_batch(6), a_model(residual=False)
    residual = a_model()
    first, second = (list(model.states(batch)) for model in (plain, residual))
    assert torch.equal(first[1], second[1])
    assert torch.allclose(second[2], first[2] + first[1], atol=1e-6)


def test_training_drops_out_and_evaluation_does_not():
    model, batch = a_model(dropout=0.5), a_batch(6)
    model.train()
    draw_from(model, np.random.default_rng(0))
    first = model(batch)
    assert not torch.equal(first, model(batch))
    draw_from(model, np.random.default_rng(0))
    assert torch.equal(first, model(batch))


@pytest.mark.parametrize("name", ["tiny", "mini", "small", "medium", "base"])
def test_a_matched_model_has_as_many_numbers_and_as_wide_states(name):
    config = BertConfig(vocab_size=16_000, **SHAPES[name].fields)
    with torch.device("meta"):
        theirs, ours = bert(config), bilm(matched(config))
    numbers = [sum(parameter.numel() for parameter in model.parameters()) for model in (theirs, ours)]
    assert numbers[1] / numbers[0] == pytest.approx(1, abs=0.02)
    assert ours.width == theirs.width


def test_fresh_weights_are_drawn_everywhere():
    model = bilm(TINY)
    init_weights(model, 0.02, torch.Generator().manual_seed(0))
    assert all(parameter.abs().max() > 0 for name, parameter in model.named_parameters() if "bias" not in name)
    assert model.body.layers[0].left_to_right.recurrent.weight.std().item() == pytest.approx(0.0176, rel=0.1)


def test_a_folder_gives_the_same_model_again(tmp_path):
    model = a_model(cell_clip=None)
    heads = {"heads.bilm.bias": torch.randn(len(PIECES))}
    written = Checkpoint(model, BILM, LoadReport(), heads, {})
    write_checkpoint(written, tmp_path, architecture=BILM.encoder_class)
    found = read_checkpoint(tmp_path)
    batch = a_batch(5, 3)
    assert found.model.config == model.config
    assert torch.equal(found.model(batch), model(batch))
    assert torch.equal(found.heads["heads.bilm.bias"], heads["heads.bilm.bias"])
    assert not found.names.unexpected
