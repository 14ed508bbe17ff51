"""Maps in an .npz: what is written is read, and other files are refused by name."""

import numpy as np
import pytest
from tests.measures.test_attention_maps import softmax_maps, some_maps

from wordworth.errors import BadInput
from wordworth.measures.attention_maps import Vectors
from wordworth.studies.attention.attention_maps_file import read_maps_file, write_maps_file

VECTORS = Vectors(np.ones((2, 3, 5, 4), np.float32), np.zeros((2, 3, 5, 4), np.float32))


def test_what_is_written_is_read(tmp_path):
    maps = some_maps(second=3, vectors=VECTORS)
    write_maps_file(maps, tmp_path / "maps.npz")
    read = read_maps_file(tmp_path / "maps.npz")
    assert (read.weights == maps.weights).all()
    assert (read.tokens, read.name, read.second) == (maps.tokens, "model", 3)
    assert (read.special == maps.special).all()
    assert read.words.names == maps.words.names
    assert (read.vectors.query == 1).all()


def test_two_arrays_are_enough(tmp_path):
    np.savez(tmp_path / "mine.npz", attention=softmax_maps(0), tokens=np.array(list("abcde")))
    read = read_maps_file(tmp_path / "mine.npz")
    assert read.name == "mine"
    assert read.second is None


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(BadInput):
        write_maps_file(some_maps(), tmp_path / "file" / "maps.npz")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("arrays", "what"),
    [
        ({"tokens": np.array(["a"])}, "no array attention"),
        ({"attention": softmax_maps(0)}, "no array tokens"),
        ({"attention": softmax_maps(0), "tokens": np.array(["a"])}, "there are 1 tokens"),
        ({"attention": softmax_maps(0), "tokens": np.array(list("abcde"), dtype=object)}, "cannot be read"),
        ({"attention": softmax_maps(0), "tokens": np.arange(5)}, "not a list of strings"),
        (
            {"attention": softmax_maps(0), "tokens": np.array(list("abcde")), "sentence_b_start": np.array([1, 2])},
            "another form",
        ),
    ],
)
def test_other_arrays_are_refused_with_the_file(tmp_path, arrays, what):
    np.savez(tmp_path / "maps.npz", **arrays)
    with pytest.raises(BadInput, match=what) as refused:
        read_maps_file(tmp_path / "maps.npz")
    assert "maps.npz" in refused.value.where


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 nothing", b"text"])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "maps.npz").write_bytes(content)
    with pytest.raises(BadInput) as refused:
        read_maps_file(tmp_path / "maps.npz")
    assert "maps.npz" in refused.value.where


def test_a_missing_file_and_a_single_array_are_refused(tmp_path):
    np.save(tmp_path / "maps.npy", softmax_maps(0))
    for name in ("none.npz", "maps.npy"):
        with pytest.raises(BadInput):
            read_maps_file(tmp_path / name)
