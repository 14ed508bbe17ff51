"""Tables that a caller holds in memory are read as files are: whatever library holds them, one content is one file."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.text.file_formats.in_memory import as_file, as_files
from wordworth.text.file_formats.read import iterate_rows, iterate_texts, read_rows
from wordworth.text.read_compressed_file import check_file, file_sha256, is_file

ROWS = [{"text": "good film", "label": 1}, {"text": "dull “film”", "label": None}]


class Arrow:
    """A table of a library that we have never heard of, which speaks Arrow's protocol."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


SOURCES = {
    "list of dicts": ROWS,
    "texts and labels": ([row["text"] for row in ROWS], [1, None]),
    "columns": {"text": [row["text"] for row in ROWS], "label": [1, None]},
    "pyarrow": pa.Table.from_pylist(ROWS),
    "any Arrow table": Arrow(pa.Table.from_pylist(ROWS)),
    "pandas": pd.DataFrame({"text": [row["text"] for row in ROWS], "label": pd.array([1, None], dtype="Int64")}),
    "polars": pl.DataFrame(ROWS),
    "numpy": (np.array([row["text"] for row in ROWS]), np.array([1, None], dtype=object)),
}


def read(source):
    with as_file(source) as path:
        return read_rows(path)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_whatever_holds_the_rows_they_are_the_same_file(source):
    table, expected = read(source), read(ROWS)
    assert dict(table.columns) == {"text": ["good film", "dull “film”"], "label": ["1", ""]}
    assert (table.path, table.sha256) == (expected.path, expected.sha256)
    assert table.where(1) == "the table, row 2"


def test_other_content_is_another_file():
    assert read(ROWS).sha256 != read([*ROWS, ROWS[0]]).sha256


@given(st.lists(st.tuples(st.text(), st.one_of(st.none(), st.booleans(), st.integers(), st.text())), min_size=1))
@settings(max_examples=50, deadline=None)
def test_a_table_in_memory_has_the_cells_of_its_parquet_file(tmp_path_factory, rows):
    kept = [(text, None if label is None else str(label)) for text, label in rows]
    table = pa.table({"text": [text for text, _ in kept], "label": pa.array([label for _, label in kept], pa.string())})
    path = tmp_path_factory.mktemp("file") / "rows.parquet"
    try:
        parquet.write_table(table, path)
    except UnicodeEncodeError:
        return
    assert read(table).columns == read_rows(path).columns


def test_rows_are_streamed_too_and_the_file_is_gone_afterwards():
    with as_file(ROWS) as path:
        assert [cells["text"] for _, cells in iterate_rows(path)] == ["good film", "dull “film”"]
        assert [text for _, text in iterate_texts(path)] == ["good film", "dull “film”"]
        check_file(path)
        assert len(file_sha256(path)) == 64
    assert not is_file(path)
    with pytest.raises(BadInput, match="there is no such file"):
        read_rows(path)


def test_the_same_table_may_be_held_twice():
    with as_files(ROWS, ROWS) as (first, second):
        assert first == second
        with as_file(ROWS):
            pass
        assert is_file(first)
    assert not is_file(first)


def test_tables_of_one_name_and_other_content_are_kept_apart():
    with as_file(ROWS) as first, as_file(ROWS[:1]) as second:
        assert (str(first), str(second)) == ("the table", f"the table ({file_sha256(second)[:8]})")
        assert (len(read_rows(first)), len(read_rows(second))) == (2, 1)


@pytest.mark.parametrize("name", ["reviews.csv", "april/reviews//1.5", "films"])
def test_a_name_that_the_caller_gave_a_table_is_kept(name):
    frame = pd.DataFrame(ROWS)
    frame.attrs["name"] = name
    with as_file(frame, "the test table") as path:
        assert read_rows(path).path == str(path) == name.replace("//", "/")
        assert [text for _, text in iterate_texts(path)] == ["good film", "dull “film”"]


def test_a_table_never_stands_for_a_file_on_the_disk(tmp_path):
    file = tmp_path / "rows.csv"
    file.write_text("text,label\na,b\n")
    frame = pd.DataFrame(ROWS)
    frame.attrs["name"] = str(file)
    with as_file(frame) as path:
        assert (len(read_rows(path)), len(read_rows(file))) == (2, 1)


def test_paths_numbers_and_none_stay_as_they_are(tmp_path):
    with as_files("a.csv", tmp_path, 0.2, None) as same:
        assert same == ("a.csv", tmp_path, 0.2, None)


def test_texts_alone_are_a_column_of_texts():
    for texts in (
        ["a", "b"],
        ("a", "b", "c"),
        pd.Series(["a", "b"]),
        pl.Series(["a", "b"]),
        np.array(["a", "b"]),
        pa.array(["a", "b"]),
        pa.chunked_array([["a"], ["b"]]),
    ):
        assert list(read(texts).columns) == ["text"]


def test_several_labels_and_words_are_json():
    table = read([{"words": ["a", "b"], "tags": np.array(["O", "B-x"])}])
    assert json.loads(table.columns["words"][0]) == ["a", "b"]
    assert json.loads(table.columns["tags"][0]) == ["O", "B-x"]


@pytest.mark.parametrize(
    ("labels", "cells"),
    [
        ([0.0, None, 1.0], ["0", "", "1"]),
        ([-3.0, 2.5, float("nan")], ["-3", "2.5", ""]),
        ([1e300, float("inf"), -0.0], ["1e+300", "inf", "0"]),
        ([True, False, None], ["true", "false", ""]),
        (pd.array([1, None, 0], dtype="Int64"), ["1", "", "0"]),
        (pd.array([True, None, False], dtype="boolean"), ["true", "", "false"]),
    ],
    ids=str,
)
def test_whole_numbers_are_written_without_a_fraction_and_what_is_missing_stays_missing(labels, cells):
    for source in (pd.DataFrame({"text": list("abc"), "label": labels}), (list("abc"), labels)):
        assert read(source).columns["label"] == cells


def test_a_missing_label_changes_no_other_one():
    whole = pd.DataFrame({"text": list("abc"), "label": [0, 1, 1]})
    holed = pd.DataFrame({"text": list("abc"), "label": [0, None, 1]})
    assert holed["label"].dtype == float
    assert set(read(holed).columns["label"]) - {""} == set(read(whole).columns["label"])


FRAME = pd.DataFrame({"text": list("abcd"), "label": [0, 1, 0, 1]})


@pytest.mark.parametrize(
    "frame",
    [
        FRAME.sample(frac=1, random_state=1),
        FRAME[FRAME.text != "b"],
        FRAME.iloc[[0, 2]].rename_axis("id"),
        FRAME.set_index([[1, 2, 1, 2], [3, 4, 5, 6]]),
        FRAME.set_index(pd.Index([7, 8, 8, 7], name="text")),
    ],
    ids=["shuffled", "filtered", "named", "of two levels", "named as a column"],
)
def test_the_index_of_a_pandas_table_is_no_column(frame):
    table, expected = read(frame), read(frame.reset_index(drop=True))
    assert list(table.columns) == ["text", "label"]
    assert (table.columns, table.sha256) == (expected.columns, expected.sha256)


def test_an_index_becomes_a_column_where_the_caller_makes_it_one():
    assert list(read(FRAME.rename_axis("id").reset_index()).columns) == ["id", "text", "label"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (7, "expected the path of a file or a table, got int; give a path, a pandas, polars or pyarrow table"),
        ([], "^the table has no rows; give a table with rows$"),
        ([("a", "b")], r"a list of dicts such as .* \(a pair of texts is \"text_a\" and \"text_b\"\)"),
        (["a", 3], r"row 1 \(the first is 0\) is 3 \(int\), not a dict or a text"),
        ((["a", "b"], [1]), "columns differ in length: text 2, label 1; give each row a cell in every column"),
        ((["a"], 3), r"expected \(texts, labels\)"),
        (pd.DataFrame([["a", "b"]], columns=["text", "text"]), "two columns are named 'text'"),
        ([{"text": "\ud800"}], "half of a surrogate pair"),
        (pd.DataFrame({"text": []}), "^the table has no rows; give a table with rows$"),
        (pl.DataFrame({"text": []}), "^the table has no rows; give a table with rows$"),
    ],
)
def test_what_is_no_table_is_refused_in_the_words_of_a_file(source, message):
    with pytest.raises(BadInput, match=message):
        read(source)


@pytest.mark.parametrize(("frequency", "cells"), [("M", ["2024-01", "2024-03", ""]), ("Q", ["2024Q1", "2024Q1", ""])])
def test_periods_of_pandas_are_read_as_text(frequency, cells):
    periods = pd.PeriodIndex(["2024-01", "2024-03", None], freq=frequency)
    assert read(pd.DataFrame({"text": ["a", "b", "c"], "when": periods})).columns["when"] == cells


def test_a_table_that_is_not_computed_yet_is_refused_with_how_to_compute_it():
    with (
        pytest.raises(BadInput, match=r"got LazyFrame; give what its \.collect\(\) returns"),
        as_file(pl.DataFrame({"text": ["a"]}).lazy()),
    ):
        pass
