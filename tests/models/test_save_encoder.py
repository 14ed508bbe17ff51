"""Saved models replace whole folders or nothing."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from tests.models.tiny import write_prompts, write_tiny

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder
from wordworth.models.save_encoder import keep_sentence_files, save
from wordworth.models.weight_files import read_safetensors, write_safetensors


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_tiny(tmp_path / "tiny")


def entry(dtype: str = "F32", shape: object = (2,), offsets: object = (0, 8)) -> dict[str, object]:
    return {"dtype": dtype, "shape": list(shape) if isinstance(shape, tuple) else shape, "data_offsets": offsets}


def same_vectors(folder: Path, other: Path) -> bool:
    return np.array_equal(read_encoder(folder).encode(["the cab"]), read_encoder(other).encode(["the cab"]))


def test_saving_and_loading_changes_nothing_and_replaces_whole_folders(folder, tmp_path):
    encoder, target = read_encoder(folder), tmp_path / "saved"
    target.mkdir()
    (target / "old.txt").write_text("from an older save")
    save(encoder, target)
    assert same_vectors(folder, target)
    assert not (target / "old.txt").exists()
    assert {entry.name for entry in tmp_path.iterdir()} == {"tiny", "saved"}
    assert "sentence-transformers" in (tmp_path / "saved" / "README.md").read_text()
    first = {path.name: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    save(read_encoder(target), target)
    assert first == {path.name: path.read_bytes() for path in target.rglob("*") if path.is_file()}


def test_a_save_that_fails_leaves_the_old_folder_as_it_was(folder, tmp_path, monkeypatch):
    encoder, target = read_encoder(folder), tmp_path / "saved"
    save(encoder, target)
    before = sorted(target.rglob("*"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("wordworth.models.save_encoder.write_safetensors", full)
    with pytest.raises(BadInput, match="the disk is full"):
        save(encoder, target)
    assert sorted(target.rglob("*")) == before
    assert {entry.name for entry in tmp_path.iterdir()} == {"tiny", "saved"}


def test_a_file_where_the_folder_should_go_is_left_alone(folder, tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(BadInput, match="this is a file, not a folder"):
        save(read_encoder(folder), tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


def test_a_saved_model_may_be_read_by_whoever_may_read_its_folder(tmp_path):
    path = tmp_path / "model.safetensors"
    write_safetensors({"a": torch.ones(2, 3).t()}, path)
    (tmp_path / "beside.txt").touch()
    assert path.stat().st_mode == (tmp_path / "beside.txt").stat().st_mode
    assert torch.equal(read_safetensors(path)["a"], torch.ones(3, 2))


@pytest.mark.parametrize(
    ("prompts", "default"),
    [({"query": "the ", "document": ""}, None), ({"query": "the ", "s": "a "}, "s"), ({"default": "a "}, "default")],
)
def test_the_prompts_of_a_folder_are_kept_with_their_names(tmp_path, prompts, default):
    encoder = read_encoder(write_prompts(write_tiny(tmp_path / "from"), prompts, default))
    assert encoder.prompt == prompts.get(default, "")
    save(encoder, tmp_path / "to")
    written = json.loads((tmp_path / "to" / "config_sentence_transformers.json").read_text())
    assert written == {"prompts": prompts, "default_prompt_name": default}
    again = read_encoder(tmp_path / "to")
    assert (again.prompt, again.prompts) == (encoder.prompt, encoder.prompts)
    keep_sentence_files(tmp_path / "to", 32, folder := write_tiny(tmp_path / "kept", modules=False))
    assert json.loads((folder / "config_sentence_transformers.json").read_text()) == written


def test_a_prompt_without_a_name_is_saved_as_the_default(tmp_path):
    encoder = replace(read_encoder(write_prompts(write_tiny(tmp_path / "from"), {"query": "the "})), prompt="a ")
    save(encoder, tmp_path / "to")
    assert read_encoder(tmp_path / "to").prompt == "a "
    assert read_encoder(tmp_path / "to").prompts == {"query": "the ", "default": "a "}
