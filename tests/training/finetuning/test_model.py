"""A BiLSTM above an encoder: it sees both sides, learns with the encoder, and is written and read with the rest."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from tests.training.finetuning.test_checkpoint import facts_of
from tests.training.finetuning.test_trainer import EAGER, begun

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder
from wordworth.training.finetuning.checkpoint import load_finetuned, save_finetuned
from wordworth.training.finetuning.checkpoint_metadata import read_metadata
from wordworth.training.finetuning.model import BiLstm
from wordworth.training.finetuning.settings import FinetuneSettings
from wordworth.training.mixed_precision import supports_bf16
from wordworth.training.task_heads import head_of

ABOVE = replace(EAGER, steps=6, bilstm=True, bf16=True, encoder_dropout=False, dropout=0.0)


def test_every_token_hears_of_all_others_of_its_sequence_and_of_no_other_sequence():
    layer, states = BiLstm(8, torch.Generator().manual_seed(0)), torch.randn(7, 8)
    starts, changed = torch.tensor([0, 4, 7]), states.clone()
    changed[3] += 1
    moved = (layer(changed, starts) - layer(states, starts)).abs().amax(1) > 0
    assert moved.tolist() == [True] * 4 + [False] * 3


def test_the_same_seed_draws_the_same_bilstm():
    one, same, other = (BiLstm(8, torch.Generator().manual_seed(seed)).state_dict() for seed in (0, 0, 1))
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["pair.left_to_right.input.weight"], other["pair.left_to_right.input.weight"])


def test_it_learns_with_the_encoder_and_is_there_only_where_it_is_asked_for(tiny):
    assert begun(tiny)[2].network.recurrent is None
    _, _, tuning = begun(tiny, config=ABOVE)
    before = {name: one.clone() for name, one in tuning.network.state_dict().items()}
    tuning.loop.train(3)
    changed = {name for name, one in tuning.network.state_dict().items() if not torch.equal(one, before[name])}
    assert {name for name in before if name.startswith("recurrent.")} <= changed
    assert any(name.startswith("body.") for name in changed)


@pytest.mark.parametrize(("kind", "pooling"), [("single", "pooler"), ("single", "mean"), ("tags", "mean")])
def test_what_is_written_says_the_same_when_read(tiny, tmp_path, kind, pooling):
    task, inputs, tuning = begun(tiny, kind, config=replace(ABOVE, pooling=pooling))
    tuning.loop.train(6)
    save_finetuned(tmp_path / "model", tiny, tuning.tuned, facts_of(task, pooling, bilstm=True))
    _, read = load_finetuned(
        tmp_path / "model", head_of(task), read_metadata(tmp_path / "model"), torch.device("cpu"), bf16=supports_bf16()
    )
    before, after = tuning.tuned.predict(inputs), read.predict(inputs)
    np.testing.assert_allclose(np.concatenate(before), np.concatenate(after), rtol=1e-5, atol=1e-5)
    body = read_encoder(tmp_path / "model").model.body.state_dict()
    assert all(torch.equal(one, body[name]) for name, one in tuning.network.body.state_dict().items())


def test_frozen_features_have_a_bilstm_of_their_own():
    with pytest.raises(BadInput, match="already"):
        FinetuneSettings(bilstm=True, features="last")
