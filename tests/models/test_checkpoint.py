"""Checkpoints in every form that is handed around, and one clear error for each way in which one can be wrong."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.models.tiny import write_tiny

import wordworth
from wordworth.errors import BadInput
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.read_encoder import read_encoder


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_tiny(tmp_path / "tiny")


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "model.safetensors")


def rewrite(folder: Path, tensors: dict[str, torch.Tensor]) -> None:
    save_file(tensors, folder / "model.safetensors")


def configure(folder: Path, **changes: object) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def same_vectors(folder: Path, other: Path) -> bool:
    return np.array_equal(read_encoder(folder).encode(["the cab"]), read_encoder(other).encode(["the cab"]))


def test_shards_with_an_index_are_one_checkpoint(folder, tmp_path):
    other = write_tiny(tmp_path / "sharded")
    tensors = weights(other)
    (other / "model.safetensors").unlink()
    names = sorted(tensors)
    shards = {"a.safetensors": names[::2], "b.safetensors": names[1::2]}
    for shard, held in shards.items():
        save_file({name: tensors[name] for name in held}, other / shard)
    index = {"weight_map": {name: shard for shard, held in shards.items() for name in held}}
    (other / "model.safetensors.index.json").write_text(json.dumps(index))
    assert same_vectors(folder, other)
    (other / "b.safetensors").unlink()
    with pytest.raises(BadInput, match=r"'b\.safetensors' is missing"):
        read_checkpoint(other)


def test_an_old_bin_file_is_the_same_checkpoint(folder, tmp_path):
    other = write_tiny(tmp_path / "bin")
    torch.save(weights(other), other / "pytorch_model.bin")
    (other / "model.safetensors").unlink()
    assert same_vectors(folder, other)


def test_prefixed_half_precision_and_old_norm_names_are_the_same_checkpoint(folder, tmp_path):
    other = write_tiny(tmp_path / "old")
    old = {
        f"bert.{name}".replace("LayerNorm.weight", "LayerNorm.gamma"): value for name, value in weights(other).items()
    }
    rewrite(other, old | {"bert.embeddings.position_ids": torch.arange(24)[None]})
    assert same_vectors(folder, other)
    rewrite(other, {name: value.half() if value.is_floating_point() else value for name, value in old.items()})
    assert np.allclose(read_encoder(other).encode(["the cab"]), read_encoder(folder).encode(["the cab"]), atol=0.05)


def test_a_checkpoint_without_pooler_loads_and_one_without_modules_takes_the_mean(folder):
    rewrite(folder, {name: value for name, value in weights(folder).items() if "pooler" not in name})
    assert read_checkpoint(folder).model.pooler is None
    before = read_encoder(folder).encode(["the cab"])
    (folder / "modules.json").unlink()
    assert np.array_equal(read_encoder(folder).encode(["the cab"]), before)


def refused(folder: Path, match: str) -> None:
    """One clear error: what, where, how to mend it."""
    with pytest.raises(BadInput, match=match) as caught:
        read_encoder(folder)
    assert str(folder) in caught.value.where
    assert caught.value.mend


def test_a_missing_folder_and_missing_files_are_refused(folder, tmp_path):
    refused(tmp_path / "nowhere", "no such folder")
    for name, match in (
        ("vocab.txt", "no tokenizer"),
        ("model.safetensors", "no weights"),
        ("config.json", "holds no encoder: no config"),
    ):
        (folder / name).unlink()
        refused(folder, match)


@pytest.mark.parametrize("text", ["", "{", "[]", '"bert"'])
def test_a_damaged_config_is_refused(folder, text):
    (folder / "config.json").write_text(text)
    refused(folder, "JSON")


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"model_type": "brt"}, "'brt' is not supported; did you mean 'bert'"),
        ({"model_type": "mamba9000"}, "'mamba9000' is not supported; available: 'bert'"),
        ({"hidden_act": "swishy"}, "unknown activation 'swishy'"),
        ({"position_embedding_type": "relative_key"}, "relative_key"),
        ({"hidden_size": "large"}, "'large', not a whole number"),
        ({"hidden_size": True}, "True, not a whole number"),
        ({"layer_norm_eps": "tiny"}, "'tiny', not a number"),
        ({"num_attention_heads": 5}, "not a multiple"),
        ({"num_attention_heads": 0}, "invalid config"),
        ({"hidden_size": 64}, "by the config"),
        ({"intermediate_size": 50}, r"\(48, 32\) in the weights, \(50, 32\) by the config"),
        ({"vocab_size": 99}, "by the config"),
        ({"num_hidden_layers": 3}, "16 tensors are missing"),
        ({"max_position_embeddings": 2}, "by the config"),
    ],
)
def test_a_config_that_does_not_fit_is_refused(folder, changes, match):
    configure(folder, **changes)
    refused(folder, match)


def test_a_config_without_model_type_is_refused(folder):
    (folder / "config.json").write_text("{}")
    refused(folder, "no 'model_type'")


def test_missing_tensors_are_named(folder):
    rewrite(folder, {name: value for name, value in weights(folder).items() if ".key." not in name})
    refused(folder, r"4 tensors are missing: encoder\.layer\.0\.attention\.self\.key\.weight")


def test_a_folder_in_which_pretraining_goes_on_is_told_from_one_that_lacks_files(tmp_path):
    (tmp_path / "run" / "training").mkdir(parents=True)
    with pytest.raises(BadInput, match="this pretraining has not ended") as told:
        read_checkpoint(tmp_path / "run")
    assert "goes on where it stopped" in str(told.value)


def test_the_folder_around_a_model_is_told_from_one_that_lacks_files(tmp_path):
    (tmp_path / "run" / "model").mkdir(parents=True)
    (tmp_path / "run" / "model" / "model.safetensors").touch()
    with pytest.raises(BadInput, match="the model is not here, but in a folder inside") as told:
        read_checkpoint(tmp_path / "run")
    assert str(tmp_path / "run" / "model") in str(told.value)


def test_a_folder_of_another_kind_of_model_is_said_to_hold_no_encoder():
    parser = Path(wordworth.__file__).parent / "models" / "shipped" / "parser"
    with pytest.raises(BadInput, match=r"this folder holds no encoder: no config\.json is in it") as told:
        read_checkpoint(parser)
    assert told.value.where == str(parser)
