"""The modules of sentence-transformers: pooling and dense layers."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from tests.models.tiny import write_modules, write_prompts, write_tiny

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_tiny(tmp_path / "tiny")


def same_vectors(folder: Path, other: Path) -> bool:
    return np.array_equal(read_encoder(folder).encode(["the cab"]), read_encoder(other).encode(["the cab"]))


def refused(folder: Path, match: str) -> None:
    """One clear error: what, where, how to mend it."""
    with pytest.raises(BadInput, match=match) as caught:
        read_encoder(folder)
    assert str(folder) in caught.value.where
    assert caught.value.mend


@pytest.mark.parametrize(
    ("pooling", "match"),
    [
        ({"pooling_mode": "median"}, "unknown pooling 'median'"),
        ({"pooling_mode": "mean", "include_prompt": False}, "without the prompt"),
    ],
)
def test_a_pooling_that_is_not_known_is_refused(folder, pooling, match):
    write_modules(folder, pooling)
    refused(folder, match)


def test_a_module_that_is_not_known_is_refused_not_imported(folder):
    write_modules(folder, None, "Cnn")
    refused(folder, "module 'Cnn' is not supported")
    (folder / "modules.json").write_text('[{"idx": 0}]')
    refused(folder, "not a list of modules")
    (folder / "modules.json").write_text('[{"idx": 0, "path": "", "type": "x.Transformer"}]')
    refused(folder, "no Pooling among the modules")


def test_a_dense_module_is_read_with_its_activation(folder):
    write_modules(folder, None, "Dense")
    dense = folder / "x_Dense"
    dense.mkdir()
    (dense / "config.json").write_text('{"activation_function": "torch.nn.modules.linear.Identity"}')
    weight = torch.randn(4, 32, generator=torch.Generator().manual_seed(0))
    save_file({"linear.weight": weight}, dense / "model.safetensors")
    plain = read_encoder(write_tiny(folder.parent / "plain")).encode(["the cab"])
    assert np.allclose(read_encoder(folder).encode(["the cab"]), plain @ weight.numpy().T, atol=1e-4)
    (dense / "config.json").write_text('{"activation_function": "os.system"}')
    refused(folder, r"unknown activation 'os\.system'")


def test_a_model_inside_the_folder_of_its_modules_is_found(folder, tmp_path):
    whole = write_tiny(tmp_path / "whole")
    (folder / "0_Transformer").mkdir()
    for name in ("config.json", "model.safetensors", "vocab.txt", "tokenizer_config.json"):
        (folder / name).rename(folder / "0_Transformer" / name)
    modules = json.loads((folder / "modules.json").read_text())
    modules[0]["path"] = "0_Transformer"
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "0_Transformer" / "sentence_bert_config.json").write_text('{"max_seq_length": 20}')
    assert same_vectors(whole, folder)
    assert read_encoder(folder).max_length == 20


def test_prompts_that_are_no_object_are_refused_and_null_is_an_empty_prompt(folder):
    write_prompts(folder, ["query: "])
    refused(folder, r"config_sentence_transformers.json: the prompts are of type list, not an object")
    write_prompts(folder, {"query": None})
    assert read_encoder(folder).prompts == {"query": ""}
    write_prompts(folder, None)
    assert read_encoder(folder).prompts == {}
