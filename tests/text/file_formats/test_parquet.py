"""Parquet of any column type."""

import datetime as dt
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import read_rows


def test_values_of_every_type_become_cells(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    columns = {
        "text": pa.array(["é", None]).dictionary_encode(),
        "n": [1.5, 2.0],
        "k": pa.array([3, None]),
        "on": [True, False],
        "tags": [["O", "B-X"], []],
        "day": [dt.date(2026, 4, 1), None],
    }
    parquet.write_table(pa.table(columns), path)
    table = read_rows(path)
    assert table.columns["text"] == ["é", ""]
    assert table.columns["n"] == ["1.5", "2"]
    assert table.columns["k"] == ["3", ""]
    assert table.columns["on"] == ["true", "false"]
    assert table.columns["tags"] == ['["O", "B-X"]', "[]"]
    assert table.columns["day"] == ["2026-04-01", ""]
    assert table.position(1) == "row 2"


def test_periods_of_pandas_are_text_whether_pandas_is_loaded_or_not(tmp_path: Path) -> None:
    path = tmp_path / "periods.parquet"
    written = {b"ARROW:extension:name": b"pandas.period", b"ARROW:extension:metadata": b'{"freq": "M"}'}
    field = pa.field("when", pa.int64(), metadata=written)
    parquet.write_table(pa.table([[648, 650, None]], schema=pa.schema([field])), path)
    assert read_rows(path).columns["when"] == ["2024-01", "2024-03", ""]
    frame = pd.DataFrame({"when": pd.PeriodIndex(["2024-01", "2024-03", None], freq="M")})
    frame.to_parquet(path)
    assert read_rows(path).columns["when"] == ["2024-01", "2024-03", ""]


@pytest.mark.parametrize("metadata", [b"not JSON", b"[]", b"{}", b'{"freq": "no frequency"}', b"\xff"])
def test_periods_of_a_damaged_frequency_are_one_clear_error(tmp_path: Path, metadata: bytes) -> None:
    path = tmp_path / "periods.parquet"
    written = {b"ARROW:extension:name": b"pandas.period", b"ARROW:extension:metadata": metadata}
    field = pa.field("when", pa.int64(), metadata=written)
    parquet.write_table(pa.table([[648]], schema=pa.schema([field])), path)
    with pytest.raises(BadInput, match=r"'when'|UTF-8|types of its columns"):
        read_rows(path)


def test_numbers_in_lists_and_objects_stay_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    frame = pd.DataFrame({"l": [[1.0, 2.5], [None]], "o": [{"a": 1, "b": ["1", "x"]}, {"a": None, "b": []}]})
    frame.to_parquet(path)
    cells = {"l": ["[1, 2.5]", "[null]"], "o": ['{"a": 1, "b": ["1", "x"]}', '{"a": null, "b": []}']}
    assert read_rows(path).columns == cells
