"""The doctor passes a sound checkpoint and finds every fault that we plant."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.models.tiny import PIECES, SETTINGS, write_tiny

from wordworth.errors import BadInput
from wordworth.inference import check_model_files as doctor_module
from wordworth.inference.check_model_files import Check, check_checkpoint
from wordworth.models.load import load
from wordworth.models.reference_outputs import references
from wordworth.models.save_encoder import save
from wordworth.sources import resolve


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    return write_tiny(tmp_path / "tiny")


def failed(folder: Path) -> dict[str, str]:
    return {check.name: check.detail for check in check_checkpoint(folder) if not check.passed}


def patch(folder: Path, **changes: torch.Tensor) -> None:
    path = folder / "model.safetensors"
    save_file(load_file(path) | changes, path)


@pytest.fixture
def minilm_folder(tmp_path, monkeypatch) -> Path:
    """The files of MiniLM in a folder where single ones can be exchanged."""
    try:
        source = resolve("minilm").folder
    except BadInput as error:
        pytest.skip(str(error))
    copy = tmp_path / "copy"
    (copy / "1_Pooling").mkdir(parents=True)
    monkeypatch.setenv("WORDWORTH_CACHE", str(tmp_path / "cache"))
    for name in (
        "config.json",
        "modules.json",
        "tokenizer_config.json",
        "1_Pooling/config.json",
        "sentence_bert_config.json",
    ):
        (copy / name).write_bytes((source / name).read_bytes())
    for name in ("model.safetensors", "tokenizer.json", "vocab.txt"):
        (copy / name).symlink_to(source / name)
    return copy


def test_minilm_is_what_it_claims_to_be(minilm_folder):
    checks = {check.name: check for check in check_checkpoint(minilm_folder)}
    assert all(check.passed for check in checks.values())
    assert checks["tensors"].detail.startswith("103 used once")
    assert checks["pooling"].detail == "mean then normalize, 384 numbers"
    assert "sentence-transformers 6.2.0" in checks["reference vectors"].detail
    assert len(references()[0].weights) == 64


@pytest.mark.parametrize(
    ("file", "change", "finds"),
    [
        ("config.json", {"layer_norm_eps": 1e-3}, {"reference vectors"}),
        ("config.json", {"hidden_act": "gelu_new"}, {"reference vectors"}),
        ("1_Pooling/config.json", {"pooling_mode": "cls"}, {"reference vectors"}),
        ("tokenizer_config.json", {"do_lower_case": False}, {"casing", "token ids", "reference vectors"}),
    ],
)
def test_a_fault_in_the_small_files_of_minilm_is_found(minilm_folder, file, change, finds):
    path = minilm_folder / file
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    assert set(failed(minilm_folder)) == finds


@pytest.mark.parametrize("model_type", sorted(set(SETTINGS) - {"gpt2"}))
def test_a_sound_unknown_checkpoint_passes(tmp_path, model_type):
    assert failed(write_tiny(tmp_path / model_type, model_type)) == {}


def test_a_tensor_left_over_is_found(folder):
    patch(folder, **{"encoder.layer.0.lora": torch.ones(2)})
    assert failed(folder) == {"tensors": "39 used once; unknown: encoder.layer.0.lora"}


def test_weights_that_are_no_numbers_are_found(folder):
    patch(folder, **{"encoder.layer.1.output.dense.bias": torch.full((32,), torch.nan)})
    found = failed(folder)
    assert set(found) == {"weights are numbers", "vectors"}
    assert "body.layers.1.mlp.down.bias" in found["weights are numbers"]


def test_a_model_that_says_the_same_of_every_text_is_found(folder):
    patch(folder, **{"encoder.layer.1.output.LayerNorm.weight": torch.zeros(32)})
    assert set(failed(folder)) == {"vectors"}


def test_a_cased_vocabulary_under_an_uncased_tokenizer_is_found_and_the_reverse(folder):
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    assert failed(folder) == {"casing": f"the tokenizer is cased, 0 of {len(PIECES)} pieces have capitals"}
    vocabulary = "\n".join("The" if piece == "the" else piece for piece in PIECES)
    (folder / "vocab.txt").write_text(vocabulary + "\n")
    assert failed(folder) == {}
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    assert set(failed(folder)) == {"casing"}


def test_a_missing_mark_is_found(folder):
    (folder / "vocab.txt").write_text("\n".join("zzz" if piece == "[MASK]" else piece for piece in PIECES) + "\n")
    assert failed(folder) == {"special ids": "missing: mask"}


def test_a_folder_that_does_not_say_how_to_pool_is_told(folder):
    (folder / "modules.json").unlink()
    checks = {check.name: check for check in check_checkpoint(folder)}
    assert failed(folder) == {}
    assert checks["pooling"].detail == "no modules.json; the mean over tokens is taken"


def test_company_that_matters_is_found(folder, monkeypatch):
    monkeypatch.setattr(doctor_module.TextEncoder, "encode", lambda _, texts, **__: torch.eye(len(texts), 5).numpy())
    assert "company" in failed(folder)


def test_a_checkpoint_too_broken_to_load_is_one_failed_check(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-4])
    assert [(check.name, check.passed) for check in check_checkpoint(folder)] == [("loads", False)]
    assert "truncated" in failed(folder)["loads"]


def test_what_is_no_encoder_is_refused(tmp_path):
    with pytest.raises(BadInput, match="nowhere"):
        check_checkpoint(tmp_path / "nowhere")
    assert Check("a", passed=True, detail="b").passed


def test_a_folder_that_is_only_called_like_a_known_model_is_not_taken_for_it(minilm_folder, tmp_path):
    encoder = load(str(minilm_folder))
    with torch.no_grad():
        encoder.model.embedding.word.weight.add_(0.01)
    save(encoder, tmp_path / "minilm")
    assert all(check.passed for check in check_checkpoint(tmp_path / "minilm"))
