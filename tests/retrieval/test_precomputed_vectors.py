"""Vectors from a file are taken only where they are the model's, of these texts, in this order."""

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.retrieval.small_index import made_up_rows, write_rows, write_table

import wordworth as ww
from wordworth.errors import BadInput


@pytest.fixture
def files(tmp_path):
    write_table(tmp_path / "table.txt")
    rows = write_rows(tmp_path / "rows.jsonl", made_up_rows(40))
    ww.embed(rows, tmp_path / "vectors.npy", model=str(tmp_path / "table.txt"))
    return tmp_path


def built(folder, vectors):
    return ww.build_index(
        folder / "rows.jsonl", folder / "index", model=str(folder / "table.txt"), vectors=folder / vectors
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda vectors: vectors[::-1], r"the vector of row 0 \(the first is 0\) is not what table.txt gives"),
        (lambda vectors: vectors + 3, "is not what table.txt gives for its text"),
        (lambda vectors: vectors[:30], "30 vectors of 8 numbers, and 40 texts by .* have 40 vectors of 8"),
        (lambda vectors: vectors[:, :5], "40 vectors of 5 numbers, and 40 texts"),
        (lambda vectors: vectors[0], "is not a table of vectors"),
        (lambda vectors: (vectors * 100).astype(int), "is not a table of vectors"),
    ],
)
def test_other_vectors_are_refused_and_nothing_is_written(files, change, message):
    np.save(files / "other.npy", change(np.load(files / "vectors.npy")))
    with pytest.raises(BadInput, match=message):
        built(files, "other.npy")
    assert not (files / "index").exists()


def test_vectors_of_another_length_or_data_type_are_the_same_vectors(files):
    np.save(files / "scaled.npy", (np.load(files / "vectors.npy") * 7).astype(np.float64))
    assert built(files, "scaled.npy").rows == 40


def test_a_file_that_is_missing_or_damaged_or_holds_no_vectors_is_refused(files):
    (files / "cut.npy").write_bytes((files / "vectors.npy").read_bytes()[:500])
    (files / "cut.parquet").write_bytes(b"PAR1")
    parquet.write_table(pa.table({"x": [1] * 40}), files / "other.parquet")
    parquet.write_table(pa.table({"vector": [[0.5] * (1 + n % 2) for n in range(40)]}), files / "ragged.parquet")
    messages = {
        "missing.npy": "there is no such file",
        "cut.npy": "not a readable array",
        "cut.parquet": "not a readable parquet file",
        "missing.parquet": "not a readable parquet file",
        "other.parquet": "no column of vectors",
        "ragged.parquet": "row 2: vectors are of several widths",
    }
    for name, message in messages.items():
        with pytest.raises(BadInput, match=message):
            built(files, name)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_vectors_are_taken_in_every_format_that_embed_writes(files, suffix):
    path = files / f"v{suffix}"
    ww.embed(files / "rows.jsonl", path, model=str(files / "table.txt"))
    assert built(files, path.name).rows == 40
    more = ww.add_to_index(files / "rows.jsonl", files / "index", vectors=str(path))
    assert (more.rows, more.total) == (40, 80)


def test_a_vector_that_is_not_a_number_is_refused(files):
    vectors = np.load(files / "vectors.npy")
    vectors[1, 2] = np.nan
    np.save(files / "nan.npy", vectors)
    with pytest.raises(BadInput, match="a vector holds NaN or infinity"):
        built(files, "nan.npy")
    assert not (files / "index" / "index.json").exists()
