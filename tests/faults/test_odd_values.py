"""Files of a model whose values no model has: each is one clear error, whatever reads it."""

from __future__ import annotations

import json

import pytest
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.load import load

ODD = ([1], {"a": 1}, float("inf"), float("nan"), 10**400, -1, 0, 2**40, "x")
SIZES = ("vocab_size", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size")
MODULES = [
    {"idx": 0, "path": "", "type": "x.Transformer"},
    {"idx": 1, "path": "1_Pooling", "type": "x.Pooling"},
]


def changed(path, **values):
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


@pytest.mark.parametrize("value", ODD, ids=lambda value: f"{value!r:.12}")
@pytest.mark.parametrize("field", SIZES)
def test_a_config_of_impossible_sizes_is_refused(tmp_path, field, value):
    folder = write_tiny(tmp_path / "model")
    changed(folder / "config.json", **{field: value})
    with pytest.raises(BadInput, match=r"config\.json"):
        load(str(folder))


@pytest.mark.parametrize("value", ODD[:5], ids=lambda value: f"{value!r:.12}")
def test_a_norm_of_no_number_is_refused(tmp_path, value):
    folder = write_tiny(tmp_path / "model")
    changed(folder / "config.json", layer_norm_eps=value)
    with pytest.raises(BadInput, match=r"config\.json: 'layer_norm_eps' is"):
        load(str(folder))


@pytest.mark.parametrize("value", ODD[:5], ids=lambda value: f"{value!r:.12}")
def test_a_list_of_modules_with_an_odd_path_is_refused(tmp_path, value):
    folder = write_tiny(tmp_path / "model")
    (folder / "modules.json").write_text(json.dumps([{**MODULES[0], "path": value}, MODULES[1]]))
    with pytest.raises(BadInput, match=r"modules\.json: this is not a list of modules"):
        load(str(folder))


@pytest.mark.parametrize(
    "value", [float("inf"), float("nan"), 10**400, -1, "x", [1]], ids=lambda value: f"{value!r:.12}"
)
def test_a_length_without_bounds_is_no_limit(tmp_path, value):
    folder = write_tiny(tmp_path / "model")
    changed(folder / "tokenizer_config.json", model_max_length=value)
    assert load(str(folder)).encode(["a text"]).shape[0] == 1
