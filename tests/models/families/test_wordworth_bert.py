"""BERTs that transformers has no class for are written and read as what they are."""

import json
from dataclasses import replace

import pytest
import torch
from tests.models.small_bert import CONFIG, VARIANTS, batch, made

from wordworth.errors import BadInput
from wordworth.models.checkpoint import Checkpoint, read_checkpoint
from wordworth.models.families.wordworth_bert import OUR_BERT
from wordworth.models.save_encoder import write_checkpoint
from wordworth.models.weight_mapping import LoadReport

OURS = [name for name, config in VARIANTS.items() if not config.is_plain]


def written(config, folder):
    model = made(config)
    write_checkpoint(Checkpoint(model, OUR_BERT, LoadReport(), {}, {}), folder)
    return model


@pytest.mark.parametrize("name", OURS)
def test_each_kind_of_layer_is_read_as_it_was_written(name, tmp_path):
    model = written(VARIANTS[name], tmp_path)
    read = read_checkpoint(tmp_path).model
    assert read.config == VARIANTS[name]
    assert torch.equal(read(batch(3, 5)), model(batch(3, 5)))


def test_no_change_of_the_layers_is_taken_for_bert_itself():
    assert OURS == ["pre-norm", "rotary", "no-biases", "gated"]
    assert CONFIG.is_plain


def test_a_folder_from_before_other_changes_is_pre_norm(tmp_path):
    model = written(replace(CONFIG, norm="pre"), tmp_path)
    path = tmp_path / "config.json"
    old = {name: value for name, value in json.loads(path.read_text()).items() if name not in {"norm", "positions"}}
    path.write_text(json.dumps(old | {"model_type": "wordworth-pre-norm-bert", "position_embedding_type": "absolute"}))
    assert torch.equal(read_checkpoint(tmp_path).model(batch(4)), model(batch(4)))


def test_a_change_that_is_none_is_refused(tmp_path):
    written(replace(CONFIG, norm="pre"), tmp_path)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"positions": "rotory"}))
    with pytest.raises(BadInput, match="did you mean 'rotary'"):
        read_checkpoint(tmp_path)


def test_a_gated_mlp_is_the_activation_of_one_map_times_another():
    mlp, x = made(VARIANTS["gated"]).body.layers[0].mlp, torch.randn(3, 32)
    gate, values = torch.nn.functional.linear(x, mlp.up.weight, mlp.up.bias).split(48, dim=1)
    torch.testing.assert_close(mlp(x), mlp.down(torch.nn.functional.gelu(gate) * values))
