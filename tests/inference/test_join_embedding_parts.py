import json
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wordworth.errors import BadInput
from wordworth.inference.bulk_embedding_parts import PartsFolder
from wordworth.inference.join_embedding_parts import check_output, join
from wordworth.inference.vector_metadata import VectorMetadata, read_metadata
from wordworth.text.file_formats.read import read_rows

SUFFIXES = ["npy", "parquet", "jsonl", "csv"]


def metadata(vectors):
    return VectorMetadata(
        model="m", dtype="float32", pooling="mean", version="1", rows=len(vectors), width=vectors.shape[1], blank=0,
        unread=0.0, empty=0, made_of={"input": "a"},
    )  # fmt: skip


def joined(folder, vectors, cuts, suffix, ids=None):
    """The file that the parts of these vectors, cut at some rows, are joined into."""
    parts = PartsFolder(folder)
    pieces = np.split(vectors, sorted(cuts))
    for number, piece in enumerate(pieces):
        parts.write(number, piece)
    out = folder / f"out.{suffix}"
    join(parts.files(len(pieces)), out, metadata(vectors), ids)
    return out


def vectors_of(path):
    if path.suffix == ".npy":
        return np.load(path)
    if path.suffix == ".parquet":
        from pyarrow import parquet

        return np.array(parquet.read_table(path)["vector"].to_pylist(), dtype=np.float32)
    return np.array([json.loads(cell) for cell in read_rows(path).columns["vector"]], dtype=np.float32)


@settings(max_examples=25)
@given(
    vectors=arrays(np.float32, (5, 3), elements=st.floats(width=32, allow_nan=False, allow_infinity=False)),
    cuts=st.lists(st.integers(1, 4), max_size=3),
    suffix=st.sampled_from(SUFFIXES),
)
def test_the_joined_file_has_every_row_of_every_part_in_order_to_the_last_bit(tmp_path_factory, vectors, cuts, suffix):
    out = joined(tmp_path_factory.mktemp("join"), vectors, cuts, suffix)
    assert np.array_equal(vectors_of(out), vectors)
    assert read_metadata(out) == metadata(vectors)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_however_the_rows_were_cut_into_parts_the_bytes_are_the_same(suffix, tmp_path):
    vectors = np.random.default_rng(0).normal(size=(40, 4)).astype(np.float32)
    for name in ("one", "many"):
        (tmp_path / name).mkdir()
    first_file = joined(tmp_path / "one", vectors, [], suffix)
    many = joined(tmp_path / "many", vectors, [1, 2, 30], suffix)
    assert first_file.read_bytes() == many.read_bytes()


@pytest.mark.parametrize("suffix", SUFFIXES[1:])
def test_rows_have_their_ids_or_else_their_numbers(suffix, tmp_path):
    vectors = np.zeros((3, 2), np.float32)
    named = read_rows(joined(tmp_path, vectors, [1], suffix, iter("xyz"))).columns["id"]
    numbered = read_rows(joined(tmp_path, vectors, [1], suffix)).columns["id"]
    assert (named, numbered) == (["x", "y", "z"], ["0", "1", "2"])


def test_rows_are_numbered_through_however_many_there_are(tmp_path):
    vectors = np.arange(20_000, dtype=np.float32).reshape(-1, 1)
    numbered = read_rows(joined(tmp_path, vectors, [9_000, 18_000], "parquet")).columns["id"]
    assert numbered == [str(row) for row in range(20_000)]


def test_a_part_that_is_damaged_is_named_and_nothing_is_written(tmp_path):
    parts = PartsFolder(tmp_path)
    parts.write(0, np.zeros((2, 2), np.float32))
    parts.file(0).write_bytes(b"torn")
    out = tmp_path / "out.csv"
    with pytest.raises(BadInput, match=r"00000000\.npy: this part is damaged; remove it"):
        join(parts.files(1), out, metadata(np.zeros((2, 2))), None)
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "has_ids", "told"),
    [
        ("out.xls", False, "cannot write '.xls'"),
        ("out", False, "cannot write 'a file without a suffix'"),
        ("out.npy", True, r"a \.npy file cannot store ids"),
        ("missing/out.csv", False, "missing"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_before_any_work(name, has_ids, told, tmp_path):
    (tmp_path / "missing").write_text("a file, not a folder")
    with pytest.raises(BadInput, match=told):
        check_output(tmp_path / name, has_ids=has_ids)


@pytest.mark.parametrize("suffix", SUFFIXES[1:])
def test_tables_may_have_ids(suffix, tmp_path):
    check_output(tmp_path / f"out.{suffix}", has_ids=True)
    assert list(islice(tmp_path.iterdir(), 1)) == []
