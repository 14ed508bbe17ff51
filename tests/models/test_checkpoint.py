"""Checkpoints in every form that is handed around, and one clear error for each way in which one can be wrong."""

import io
import json
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.models.tiny import PIECES, write_modules, write_tiny

from wordworth.errors import BadInput
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.export import save
from wordworth.models.read_encoder import read_encoder
from wordworth.models.weight_files import read_safetensors, write_safetensors


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


def with_header(folder: Path, header: object, data: bytes = b"") -> Path:
    path = folder / "model.safetensors"
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def entry(dtype: str = "F32", shape: object = (2,), offsets: object = (0, 8)) -> dict[str, object]:
    return {"dtype": dtype, "shape": list(shape) if isinstance(shape, tuple) else shape, "data_offsets": offsets}


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


def test_saving_and_loading_changes_nothing_and_replaces_whole_folders(folder, tmp_path):
    encoder, target = read_encoder(folder), tmp_path / "saved"
    target.mkdir()
    (target / "old.txt").write_text("from an older save")
    save(encoder, target)
    assert same_vectors(folder, target)
    assert not (target / "old.txt").exists()
    assert {entry.name for entry in tmp_path.iterdir()} == {"tiny", "saved"}
    first = {path.name: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    save(read_encoder(target), target)
    assert first == {path.name: path.read_bytes() for path in target.rglob("*") if path.is_file()}


def test_a_save_that_fails_leaves_the_old_folder_as_it_was(folder, tmp_path, monkeypatch):
    encoder, target = read_encoder(folder), tmp_path / "saved"
    save(encoder, target)
    before = sorted(target.rglob("*"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("wordworth.models.export.write_safetensors", full)
    with pytest.raises(BadInput, match="the disk is full"):
        save(encoder, target)
    assert sorted(target.rglob("*")) == before
    assert {entry.name for entry in tmp_path.iterdir()} == {"tiny", "saved"}


def test_a_file_where_the_folder_should_go_is_left_alone(folder, tmp_path):
    (tmp_path / "taken").write_text("mine")
    with pytest.raises(BadInput, match="this is a file, not a folder"):
        save(read_encoder(folder), tmp_path / "taken")
    assert (tmp_path / "taken").read_text() == "mine"


def refused(folder: Path, match: str) -> None:
    """One clear error: what, where, how to mend it."""
    with pytest.raises(BadInput, match=match) as caught:
        read_encoder(folder)
    assert str(folder) in caught.value.where
    assert caught.value.mend


def test_a_truncated_file_is_refused(folder):
    path = folder / "model.safetensors"
    whole = path.read_bytes()
    for length in (0, 5, 200, len(whole) - 1):
        path.write_bytes(whole[:length])
        refused(folder, "truncated")


def test_bytes_behind_the_data_are_refused(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes() + b"more")
    refused(folder, "the header describes")


def test_a_pickle_named_safetensors_is_refused_and_never_opened(folder):
    class Harm:
        def __reduce__(self):
            return (pytest.fail, ("the pickle was opened",))

    for protocol in (2, 4):
        (folder / "model.safetensors").write_bytes(pickle.dumps(Harm(), protocol=protocol))
        refused(folder, "pickle named .safetensors")
    stored = io.BytesIO()
    torch.save({"a": torch.ones(2)}, stored)
    (folder / "model.safetensors").write_bytes(stored.getvalue())
    refused(folder, "pickle named .safetensors")


def test_a_bin_file_that_would_run_code_is_refused(folder):
    class Harm:
        def __reduce__(self):
            return (pytest.fail, ("the pickle was opened",))

    (folder / "model.safetensors").unlink()
    for content in (pickle.dumps(Harm()), b"", b"not a pickle", pickle.dumps({"a": 1})):
        (folder / "pytorch_model.bin").write_bytes(content)
        refused(folder, "weight file|does not hold named tensors")


LIES = {
    "a longer tensor": {"a": entry(shape=(3,))},
    "a shorter tensor": {"a": entry(shape=(1,))},
    "another type": {"a": entry("F16")},
    "a gap": {"a": entry(offsets=[0, 8]), "b": entry(offsets=[12, 20])},
    "an overlap": {"a": entry(offsets=[0, 8]), "b": entry(offsets=[4, 12])},
    "a late start": {"a": entry(offsets=[4, 12])},
    "backwards": {"a": entry(offsets=[8, 0])},
}
NONSENSE = {
    "no JSON": b"not json",
    "a list": [],
    "no offsets": {"a": {"dtype": "F32", "shape": [2]}},
    "an unknown type": {"a": entry("F7")},
    "a negative shape": {"a": entry(shape=(-2,))},
    "a shape of words": {"a": entry(shape=["x"])},
    "three offsets": {"a": entry(offsets=[0, 8, 16])},
    "half offsets": {"a": entry(offsets=[0, 7.5])},
    "a number": {"a": 3},
}


@pytest.mark.parametrize("lie", LIES)
def test_a_header_that_lies_about_sizes_is_refused(folder, lie):
    with_header(folder, LIES[lie], bytes(20))
    refused(folder, "the header is wrong about")


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_a_header_that_is_no_header_is_refused(folder, nonsense):
    with_header(folder, NONSENSE[nonsense], bytes(8))
    refused(folder, "invalid safetensors header")


def test_a_header_that_claims_to_be_enormous_is_refused_without_reading_it(folder):
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", 1 << 60) + b"{}")
    refused(folder, "truncated")


def test_a_true_header_passes_and_metadata_is_no_tensor(folder):
    header = {
        "__metadata__": {"format": "pt"},
        "b": entry(offsets=[8, 16]),
        "a": entry(),
        "none": entry(shape=(0,), offsets=[16, 16]),
    }
    path = with_header(folder, header, struct.pack("<4f", 1, 2, 3, 4))
    tensors = read_safetensors(path)
    assert set(tensors) == {"a", "b", "none"}
    assert tensors["b"].tolist() == [3, 4]


def test_a_missing_folder_and_missing_files_are_refused(folder, tmp_path):
    refused(tmp_path / "nowhere", "no such folder")
    for name, match in (
        ("vocab.txt", "no tokenizer"),
        ("model.safetensors", "no weights"),
        ("config.json", "cannot read"),
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


def test_a_tokenizer_with_more_pieces_than_the_weights_have_rows_is_refused(folder):
    (folder / "vocab.txt").write_text("\n".join([*PIECES, "more"]) + "\n")
    refused(folder, f"the tokenizer knows {len(PIECES) + 1} pieces, the weights {len(PIECES)}")


def test_a_window_without_room_for_text_is_refused(folder):
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 2}')
    with pytest.raises(BadInput, match="no room"):
        read_encoder(folder).encode(["a"])


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


def test_lower_case_that_the_tokenizer_would_not_make_is_refused(folder):
    (folder / "sentence_bert_config.json").write_text('{"do_lower_case": true}')
    assert read_encoder(folder).tokenizer.lowercase
    (folder / "tokenizer_config.json").write_text('{"do_lower_case": false}')
    refused(folder, "asks for lower case")


def test_a_saved_model_may_be_read_by_whoever_may_read_its_folder(tmp_path):
    path = tmp_path / "model.safetensors"
    write_safetensors({"a": torch.ones(2, 3).t()}, path)
    (tmp_path / "beside.txt").touch()
    assert path.stat().st_mode == (tmp_path / "beside.txt").stat().st_mode
    assert torch.equal(read_safetensors(path)["a"], torch.ones(3, 2))


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
