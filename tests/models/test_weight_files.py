"""Files of weights: read without pickle, and refused where their header does not fit."""

import io
import json
import pickle
import struct
from pathlib import Path

import pytest
import torch
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder
from wordworth.models.weight_files import read_safetensors


@pytest.fixture
def folder(tmp_path) -> Path:
    return write_tiny(tmp_path / "tiny")


def with_header(folder: Path, header: object, data: bytes = b"") -> Path:
    path = folder / "model.safetensors"
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)
    return path


def entry(dtype: str = "F32", shape: object = (2,), offsets: object = (0, 8)) -> dict[str, object]:
    return {"dtype": dtype, "shape": list(shape) if isinstance(shape, tuple) else shape, "data_offsets": offsets}


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


def test_an_interrupt_while_a_tensor_is_read_is_no_damaged_file(folder, monkeypatch):
    """The library takes a slice of the storage; torch indexes it, drops what is raised, and raises a ValueError."""
    whole = torch.UntypedStorage.__getitem__

    def interrupted(storage, index):
        if isinstance(index, slice):
            return whole(storage, index)
        raise KeyboardInterrupt

    monkeypatch.setattr(torch.UntypedStorage, "__getitem__", interrupted)
    with pytest.raises(KeyboardInterrupt):
        read_safetensors(folder / "model.safetensors")


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
