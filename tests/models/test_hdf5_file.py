"""Weights in HDF5 come from strangers: plain arrays are read, everything else is refused before it is read."""

import numpy as np
import pytest
import torch

from wordworth.errors import BadInput, MissingExtra
from wordworth.models.hdf5_file import read_hdf5

h5py = pytest.importorskip("h5py")
VALUES = np.arange(6, dtype=np.float32).reshape(2, 3)


def written(folder, fill=lambda _: None):
    path = folder / "weights.hdf5"
    with h5py.File(path, "w") as file:
        file["a/b"] = VALUES
        fill(file)
    return path


def test_arrays_are_read_by_their_path_whatever_their_precision(tmp_path):
    def fill(file):
        file["c"] = VALUES.astype(np.float64)
        file.create_dataset("a/d/e", data=VALUES.astype(np.float16), compression="gzip")

    found = read_hdf5(written(tmp_path, fill))
    assert set(found) == {"a/b", "c", "a/d/e"}
    for tensor in found.values():
        assert torch.equal(tensor, torch.from_numpy(VALUES))


FOUL = {
    "a link to another file": lambda file: file.__setitem__("x", h5py.ExternalLink("/etc/passwd", "y")),
    "a link to another name": lambda file: file.__setitem__("x", h5py.SoftLink("/a/b")),
    "bytes of another file": lambda file: file.create_dataset(
        "x", (4,), np.float32, external=[("/etc/hostname", 0, h5py.h5f.UNLIMITED)]
    ),
    "an array of other files' arrays": lambda file: file.create_virtual_dataset("x", virtual()),
    "text": lambda file: file.__setitem__("x", "some text"),
    "whole numbers": lambda file: file.__setitem__("x", np.arange(3)),
    "references": lambda file: file.create_dataset("x", (1,), h5py.ref_dtype),
    "nothing": lambda file: file.__setitem__("x", h5py.Empty("f4")),
    "a named type": lambda file: file.__setitem__("x", np.dtype("f4")),
    "far more than its bytes": lambda file: file.create_dataset("x", (1 << 20, 1 << 20), np.float32, chunks=(64, 64)),
    "many times too much": lambda file: [file.create_dataset(f"x{i}", (4096,), np.float32) for i in range(9)],
    "itself": lambda file: file["a"].__setitem__("again", file["/"]),
}


def virtual():
    layout = h5py.VirtualLayout((4,), np.float32)
    layout[:] = h5py.VirtualSource("elsewhere.hdf5", "y", (4,))
    return layout


@pytest.mark.parametrize("what", FOUL)
def test_what_is_no_plain_array_is_refused(tmp_path, what):
    with pytest.raises(BadInput, match="fetch the file"):
        read_hdf5(written(tmp_path, FOUL[what]))


@pytest.mark.parametrize("bytes_kept", [0, 40, 700])
def test_a_damaged_file_is_no_riddle(tmp_path, bytes_kept):
    path = written(tmp_path)
    path.write_bytes(path.read_bytes()[:bytes_kept])
    with pytest.raises(BadInput, match="not a valid HDF5 file"):
        read_hdf5(path)


def test_without_h5py_the_line_that_installs_it_is_said(tmp_path, monkeypatch):
    path = written(tmp_path)
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(MissingExtra, match="pip install h5py"):
        read_hdf5(path)
