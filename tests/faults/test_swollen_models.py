"""Models that claim to be far more than they are: refused in seconds, in little memory."""

from __future__ import annotations

import json
import tracemalloc
import zipfile
from itertools import pairwise
from pathlib import Path

import h5py
import numpy as np
import pytest
import torch
from tests.cli.terminal import wordworth
from tests.models.tiny import write_tiny

from wordworth import sources
from wordworth.errors import BadInput
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.hdf5_file import read_hdf5
from wordworth.models.model_sizes import shape
from wordworth.models.weight_files import read_torch_file

pytestmark = pytest.mark.timeout(60)

LAYERS = {
    "bert": "num_hidden_layers",
    "distilbert": "n_layers",
    "roberta": "num_hidden_layers",
    "modernbert": "num_hidden_layers",
    "gpt2": "n_layer",
}


@pytest.fixture
def little_memory():
    tracemalloc.start()
    yield
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 64 * 2**20


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("family", LAYERS)
def test_ten_million_layers_are_refused_before_any_is_built(tmp_path, family):
    path = write_tiny(tmp_path / "model") / "config.json"
    changed = {"model_type": family, LAYERS[family]: 10_000_000}
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))
    with pytest.raises(BadInput, match=r"config\.json: .* is 10000000: no model has more than 1,000 layers"):
        read_checkpoint(tmp_path / "model")


def test_a_shape_of_ten_million_layers_is_refused():
    with pytest.raises(BadInput, match="10000000 layers are too many; give at most 1,000"):
        shape("10000000x64")


@pytest.mark.usefixtures("little_memory")
def test_groups_that_fan_out_without_an_array_are_not_walked_for_days(tmp_path):
    """Each of 15 groups holds the next ten times: 10^15 paths in a file of some kilobytes."""
    with h5py.File(tmp_path / "fan.hdf5", "w") as file:
        groups = [file, *(file.create_group(f"g{level}") for level in range(15))]
        for above, below in pairwise(groups):
            for name in range(10):
                above[f"n{name}"] = below
    with pytest.raises(BadInput, match="more than 10,000 groups and arrays"):
        read_hdf5(tmp_path / "fan.hdf5")


def test_a_file_of_many_empty_groups_is_refused(tmp_path):
    with h5py.File(tmp_path / "wide.hdf5", "w") as file:
        for name in range(10_001):
            file.create_group(str(name))
    with pytest.raises(BadInput, match="more than 10,000 groups and arrays"):
        read_hdf5(tmp_path / "wide.hdf5")


class Zeros:
    """What unpickles as 2 TB of zeros."""

    def __reduce__(self):
        return bytearray, (2 * 10**12,)


def deflated(path: Path) -> None:
    """40 MB of zeros, packed into some kilobytes, which torch itself never does."""
    torch.save({"w": torch.zeros(10_000_000)}, path)
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def endless(path: Path) -> None:
    """A pickle of nothing but steps that do nothing."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("w/data.pkl", b"\x80\x02" + b"N0" * 500_000 + b"N.")
        archive.writestr("w/data/0", bytes(range(256)) * 2)
        archive.writestr("w/padding", np.random.default_rng(0).bytes(2**20))


BINS = {
    "an archive that unpacks to far more": (deflated, "claims 40,.* bytes of weights in a file of"),
    "a tensor that repeats one number": (
        lambda path: torch.save({"w": torch.zeros(1).expand(10**9)}, path), "claims 4,000,000,000 bytes",
    ),
    "terabytes of zeros": (lambda path: torch.save({"w": Zeros()}, path), r"it holds .*bytearray, not tensors alone"),
    "terabytes of zeros in the old format": (
        lambda path: torch.save({"w": Zeros()}, path, _use_new_zipfile_serialization=False), r"it holds .*bytearray",
    ),
    "a pickle without end": (endless, "its pickle has no end"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("what", BINS)
def test_a_bin_that_claims_gigabytes_is_refused_before_they_are_there(tmp_path, what):
    write, says = BINS[what]
    tracemalloc.stop()
    write(tmp_path / "pytorch_model.bin")
    tracemalloc.start()
    with pytest.raises(BadInput, match=rf"pytorch_model\.bin: .*{says}"):
        read_torch_file(tmp_path / "pytorch_model.bin")


@pytest.mark.parametrize("archive", [True, False])
def test_the_tensors_of_a_bin_are_read_from_either_format_tied_ones_too(tmp_path, archive):
    layer = torch.nn.Linear(3, 2)
    tensors = {**layer.state_dict(), "tied": layer.weight, "half": torch.ones(4).half()}
    torch.save(tensors, tmp_path / "w.bin", _use_new_zipfile_serialization=archive)
    read = read_torch_file(tmp_path / "w.bin")
    assert read.keys() == tensors.keys()
    assert all(torch.equal(read[name], tensors[name]) for name in tensors)


def test_what_torch_advises_on_loading_files_as_code_is_not_repeated(tmp_path):
    torch.save({"w": torch.zeros(3)}, tmp_path / "w.bin", pickle_protocol=4)
    with pytest.raises(BadInput) as error:
        read_torch_file(tmp_path / "w.bin")
    assert "weights_only" not in str(error.value)
    assert "trust" not in str(error.value)


@pytest.fixture
def home(tmp_path, monkeypatch) -> list[Path]:
    """A home folder with weights deep inside it; gives the files whose bytes are read from now on."""
    for name in ("notes.txt", "Downloads/old.safetensors", "work/model/pytorch_model.bin", ".cache/a/b/c.npy"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"bytes")
    monkeypatch.setenv("HOME", str(tmp_path))
    read: list[Path] = []
    monkeypatch.setattr(sources, "digest", lambda path: read.append(path) or "0" * 64)
    return read


@pytest.mark.parametrize(
    "command", ["embed ~/notes.txt --out v.npy --model ~", "doctor ~", "worth ~/notes.txt --model ~"]
)
def test_a_home_folder_is_no_model_and_nothing_in_it_is_hashed(home, tmp_path, command):
    words = [word.replace("~/", f"{tmp_path}/") for word in command.split()]
    done = wordworth(*words)
    assert done.code != 0
    assert "Traceback" not in done.err
    assert home == []


@pytest.mark.usefixtures("home")
def test_a_home_folder_is_said_to_be_no_model(tmp_path):
    done = wordworth("embed", tmp_path / "notes.txt", "--out", "v.npy", "--model", "~")
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith("wordworth: ~: this folder holds no model")


def test_a_folder_of_more_files_than_any_model_has_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "_MOST_ENTRIES", 20)
    write_tiny(tmp_path / "model")
    for number in range(20):
        (tmp_path / "model" / f"{number}.txt").touch()
    with pytest.raises(BadInput, match="this folder holds more than 20 files"):
        sources.resolve(str(tmp_path / "model"))


def test_the_weights_of_every_module_of_a_model_are_hashed(tmp_path):
    folder = write_tiny(tmp_path / "model")
    (folder / "2_Dense").mkdir()
    np.save(folder / "2_Dense" / "weights.npy", np.zeros(3))
    assert {"model.safetensors", "2_Dense/weights.npy"} <= sources.resolve(str(folder)).sha256.keys()
