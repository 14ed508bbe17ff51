"""Ids that name two rows are refused before any work, with the rows; other columns pass, whatever their hashes."""

import gzip

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.inference.row_id_check import require_unique_row_ids


def test_the_first_repeated_id_is_named_with_its_lines(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("sku,text\na,one\nb,two\nc,three\nb,four\na,five\n")
    with pytest.raises(
        BadInput, match=r"column 'sku'.*'b' stands at line 3 and at line 5, and 1 more row has the id of"
    ):
        require_unique_row_ids(path, "sku")


def test_rows_of_a_parquet_and_lines_of_a_packed_file_are_named(tmp_path):
    pd.DataFrame({"sku": [7, 8, 7], "text": ["x", "y", "z"]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(BadInput, match="'7' stands at row 1 and at row 3; name a column"):
        require_unique_row_ids(tmp_path / "t.parquet", "sku")
    with gzip.open(tmp_path / "t.jsonl.gz", "wt") as file:
        file.write('{"sku": null, "text": "x"}\n{"sku": "a", "text": "y"}\n{"sku": null, "text": "z"}\n')
    with pytest.raises(BadInput, match="'' stands at line 1 and at line 3"):
        require_unique_row_ids(tmp_path / "t.jsonl.gz", "sku")


@given(st.lists(st.text(alphabet="abc01", max_size=3), max_size=12))
def test_a_column_is_refused_exactly_where_it_repeats_an_id(ids):
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.parquet"
        pd.DataFrame({"sku": pd.Series(ids, dtype="string")}).to_parquet(path)
        if len(set(ids)) == len(ids):
            require_unique_row_ids(path, "sku")
        else:
            with pytest.raises(BadInput):
                require_unique_row_ids(path, "sku")


def test_equal_hashes_of_distinct_ids_are_no_repeat(tmp_path, monkeypatch):
    path = tmp_path / "t.csv"
    path.write_text("sku,text\na,one\nb,two\n")
    monkeypatch.setattr("wordworth.inference.row_id_check.hash", lambda _: 1, raising=False)
    require_unique_row_ids(path, "sku")


def test_embed_refuses_them_before_a_model_is_loaded(tmp_path):
    rows = [{"sku": "a", "text": "one"}, {"sku": "a", "text": "two"}]
    with pytest.raises(BadInput, match=r"the table, column 'sku': the id 'a' stands at row 1 and at row 2.*`id` out"):
        ww.embed(rows, tmp_path / "v.parquet", model="no such model", id="sku")
    assert list(tmp_path.iterdir()) == []
