"""Tables of vectors are read from disk, or refused with what is wrong with the file."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save_file

from wordworth.errors import BadInput
from wordworth.models.static.array_files import mapped, read_arrays, table, tensors

VECTORS = np.arange(6, dtype=np.float16).reshape(3, 2)


def write(folder, vectors=VECTORS, columns=None):
    np.save(folder / "v.npy", vectors)
    pq.write_table(pa.table(columns or {"rank": [1, 2, 3], "word": ["the", "a", "of"]}), folder / "w.parquet")
    return folder / "v.npy", folder / "w.parquet"


def test_words_and_vectors_of_two_files_go_together(tmp_path):
    read = read_arrays(*write(tmp_path), "glove")
    assert read.name == "glove"
    rows = read.lexicon.find_words(["of", "the"])
    assert np.asarray(read.vectors[rows.rows]).tolist() == [[4, 5], [0, 1]]


def test_vectors_stay_on_disk_until_they_are_used(tmp_path):
    path, _ = write(tmp_path)
    assert isinstance(mapped(path), np.memmap)


def test_two_files_of_different_tables_are_refused(tmp_path):
    paths = write(tmp_path, columns={"word": ["the", "a"]})
    with pytest.raises(BadInput, match=r"2 words, but v.npy has 3 vectors"):
        read_arrays(*paths, "glove")


def test_a_file_of_words_without_words_is_refused(tmp_path):
    paths = write(tmp_path, columns={"rank": [1, 2, 3]})
    with pytest.raises(BadInput, match="no column of words"):
        read_arrays(*paths, "glove")


@pytest.mark.parametrize("array", [np.zeros(3, np.float32), np.zeros((3, 2), np.int64)])
def test_an_array_that_is_no_table_of_vectors_is_described(array, tmp_path):
    with pytest.raises(BadInput, match=f"an array of {array.dtype} .* is not a table of vectors"):
        table(array, tmp_path / "x.npy")


@pytest.mark.parametrize("array", [np.zeros((0, 2), np.float32), np.zeros((3, 0))])
def test_a_table_without_numbers_is_said_to_be_empty(array, tmp_path):
    with pytest.raises(BadInput, match="there are no vectors"):
        table(array, tmp_path / "x.npy")


def test_a_file_of_text_gets_no_advice_to_allow_pickles(tmp_path):
    (tmp_path / "x.npy").write_text("0.1 0.2\n")
    with pytest.raises(BadInput, match=r"this is no \.npy of numbers") as error:
        mapped(tmp_path / "x.npy")
    assert "pickle" not in str(error.value)


def test_a_missing_array_is_said_to_be_missing_with_the_most_similar_name(tmp_path):
    np.save(tmp_path / "vectors.npy", VECTORS)
    with pytest.raises(BadInput, match=r"there is no such file.*vectors\.npy"):
        mapped(tmp_path / "vector.npy")


@pytest.mark.parametrize("data", [b"", b"nonsense", None])
def test_a_file_that_cannot_be_read_is_an_error_with_its_path(data, tmp_path):
    path = tmp_path / "x.npy"
    if data is not None:
        path.write_bytes(data)
    for read in (mapped, tensors):
        with pytest.raises(BadInput, match=r"not a readable|no \.npy of numbers|no such file") as error:
            read(path)
        assert error.value.where == str(path)


def test_a_pickle_in_an_array_is_not_run(tmp_path):
    np.save(tmp_path / "x.npy", np.array([[object()]]), allow_pickle=True)
    with pytest.raises(BadInput, match="not a readable array"):
        mapped(tmp_path / "x.npy")


def test_all_arrays_of_a_safetensors_file_are_read_by_name(tmp_path):
    save_file({"a": VECTORS, "b": np.ones(2, np.float32)}, tmp_path / "x.safetensors")
    read = tensors(tmp_path / "x.safetensors")
    assert {name: array.tolist() for name, array in read.items()} == {"a": VECTORS.tolist(), "b": [1, 1]}
