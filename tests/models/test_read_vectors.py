"""Files of vectors: whatever `embed` writes is read as the same vectors, and a row that cannot be read is named."""

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.models.read_vectors import is_vectors_file, read_vectors, shape_of_vectors, vector_blocks

TEXTS = ["the film is good", "the café, \"old\", is 'bad'", "", "42", "a long day"]
FORMATS = [".npy", ".parquet", ".csv", ".jsonl"]


def lines(path, *rows):
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.filterwarnings("ignore::wordworth.ZeroVectorWarning")
def test_what_embed_writes_is_read_as_the_same_vectors_in_the_order_of_the_rows(tmp_path, suffix):
    expected = ww.embed(TEXTS, model="glove")
    ww.embed(TEXTS, tmp_path / f"v{suffix}", model="glove")
    vectors, texts = read_vectors(tmp_path / f"v{suffix}")
    assert np.array_equal(vectors, expected)
    assert texts is None


@pytest.mark.parametrize("suffix", FORMATS[1:])
def test_the_ids_of_embed_are_not_taken_for_texts(tmp_path, suffix):
    rows = [{"sku": f"item {number}", "text": "the film is good"} for number in range(3)]
    ww.embed(rows, tmp_path / f"v{suffix}", model="glove", id="sku")
    assert read_vectors(tmp_path / f"v{suffix}")[1] is None


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_vectors_with_their_texts_are_read_in_every_format(tmp_path, suffix):
    vectors, path = np.arange(8, dtype=np.float32).reshape(4, 2) / 3, tmp_path / f"v{suffix}"
    texts = ["1", "a, b", 'c "d"' if suffix != ".tsv" else "c", "é"]
    if suffix == ".parquet":
        pq.write_table(pa.table({"n": [1, 2, 3, 4], "vector": list(vectors), "text": texts}), path)
    elif suffix == ".jsonl":
        lines(path, *(json.dumps({"text": t, "vector": v.tolist()}) for t, v in zip(texts, vectors, strict=True)))
    else:
        import pandas as pd

        cells = [json.dumps(vector.tolist()) for vector in vectors]
        pd.DataFrame({"n": 7, "vector": cells, "text": texts}).to_csv(
            path, index=False, sep="\t" if suffix == ".tsv" else ","
        )
    read, named = read_vectors(path)
    assert np.array_equal(read, vectors)
    assert named == texts


@given(arrays(np.float32, (3, 2), elements=st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_rows_of_json_hold_any_finite_numbers(tmp_path_factory, vectors):
    path = tmp_path_factory.mktemp("vectors") / "v.jsonl"
    lines(path, *(json.dumps({"vector": [float(number) for number in vector]}) for vector in vectors))
    assert np.array_equal(read_vectors(path)[0], vectors)


def test_a_compressed_file_is_read_too(tmp_path):
    with gzip.open(tmp_path / "v.csv.gz", "wt", encoding="utf-8") as file:
        file.write('id,vector\n0,"[1.0, 2.5]"\n')
    assert read_vectors(tmp_path / "v.csv.gz")[0].tolist() == [[1.0, 2.5]]


@pytest.mark.parametrize("suffix", [*FORMATS, ".jsonl.gz"])
def test_blocks_of_a_long_file_are_the_whole(tmp_path, suffix):
    vectors, path = np.random.default_rng(0).random((9_000, 2), np.float32), tmp_path / f"v{suffix}"
    texts = [f"text {row}" for row in range(len(vectors))]
    if suffix == ".npy":
        np.save(path, vectors)
    elif suffix == ".parquet":
        pq.write_table(pa.table({"vector": list(vectors), "text": texts}), path)
    else:
        import pandas as pd

        table = pd.DataFrame({"vector": [str(vector.tolist()) for vector in vectors], "text": texts})
        table.to_csv(path, index=False) if suffix == ".csv" else table.to_json(path, orient="records", lines=True)
    blocks = list(vector_blocks(path))
    assert [len(block) for block, _ in blocks] == [4096, 4096, 808]
    assert np.array_equal(np.concatenate([block for block, _ in blocks]), vectors)
    assert np.array_equal(read_vectors(path)[0], vectors)
    assert shape_of_vectors(path) == (9_000, 2)
    if suffix != ".npy":
        assert read_vectors(path)[1] == texts


def test_another_width_is_named_in_a_later_block(tmp_path):
    pq.write_table(pa.table({"vector": [[1.0, 2.0]] * 5_000 + [[1.0]]}), tmp_path / "v.parquet")
    with pytest.raises(BadInput, match="row 5001: vectors are of several widths: 1 number, where the first row has 2"):
        read_vectors(tmp_path / "v.parquet")


BAD = {
    "a word in a vector": (('{"vector": [1.0, 2.0]}', '{"vector": [1.0, "x"]}'), "line 2: .* is no list of numbers"),
    "a vector that is missing": (('{"vector": [1.0]}', '{"id": 3}'), "line 2: this row has no vector"),
    "an empty list": (('{"vector": []}',), "line 1: this row has no vector"),
    "another width": (('{"vector": [1.0]}', "", '{"vector": [1.0, 2.0]}'), "line 3: vectors are of several widths: 2 "),
    "a null": (('{"vector": [1.0, null]}',), "line 1: .* is no list of finite numbers"),
    "NaN": (('{"vector": [1.0, NaN]}',), "line 1: .* is no list of finite numbers"),
    "a list of lists": (('{"vector": [[1.0], [2.0]]}',), "line 1: .* is no list of finite numbers"),
    "half a list": (('{"vector": "[1.0, 2.0"}',), "line 1: .* is no list of numbers"),
    "no vectors": (('{"text": "a", "label": 1}',), "no column of vectors"),
    "no rows": (("",), "no column of vectors"),
    "no JSON": (("nothing",), "line 1: this line is not JSON"),
}


@pytest.mark.parametrize(("rows", "message"), BAD.values(), ids=BAD)
def test_a_row_without_a_vector_is_named_by_its_line(tmp_path, rows, message):
    with pytest.raises(BadInput, match=message) as error:
        read_vectors(lines(tmp_path / "v.jsonl", *rows))
    assert "\n" not in str(error.value)


def test_a_csv_whose_columns_are_single_numbers_is_refused_with_the_form_to_give(tmp_path):
    path = lines(tmp_path / "v.csv", "id,x,y", "0,0.5,1.5")
    with pytest.raises(BadInput, match=r"no column of vectors; give .* lists, such as \[0\.1, 0\.2\]"):
        read_vectors(path)


def test_a_row_of_a_parquet_without_a_vector_is_named(tmp_path):
    pq.write_table(pa.table({"vector": pa.array([[1.0], None], pa.list_(pa.float32()))}), tmp_path / "v.parquet")
    with pytest.raises(BadInput, match="row 2: this row has no vector"):
        read_vectors(tmp_path / "v.parquet")


def test_word_vectors_are_no_vectors_of_rows(tmp_path):
    np.save(tmp_path / "table.npy", np.zeros((2, 3), np.float32))
    pq.write_table(pa.table({"word": ["a", "b"]}), tmp_path / "table.parquet")
    assert not is_vectors_file(tmp_path / "table.npy")
    assert not is_vectors_file(lines(tmp_path / "glove.txt", "a 1.0 2.0"))
    assert not is_vectors_file(tmp_path / "nothere.csv")
    assert is_vectors_file(lines(tmp_path / "v.csv", "vector"))
