"""A table that was read from a file is the table in memory: the same values, the same types."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth import records
from wordworth.record_json_values import finite_or_none
from wordworth.records import Record, Table

COLUMNS = {
    "never reached": [math.inf, math.inf],
    "never reached or unknown": [math.inf, math.nan],
    "below any": [-math.inf, math.inf],
    "unknown": [math.nan, math.nan],
    "unknown in numpy": np.array([math.nan, math.nan]),
    "nothing": [None, None],
    "counts": np.array([1, 2], dtype=np.int32),
    "scores": np.array([0.5, math.inf], dtype=np.float32),
    "some counts": [3, None],
    "dropped": [True, None],
    "rung": ["tfidf", None],
    "word": ["inf", "film"],
    "sizes": [(1, 2), (3, 4)],
}


def read_again(folder, **parts):
    written = Record(**{"kind": "worth", "settings": {}, "data": {}, "tables": {}, "findings": [], **parts})
    written.save(folder / "record.json")
    return written, records.read(folder)


def same_frames(frame, other):
    pd.testing.assert_frame_equal(frame, other, check_exact=True)
    assert dict(frame.dtypes) == dict(other.dtypes)
    assert frame.attrs == other.attrs


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_that_was_read_has_the_values_and_the_type_of_the_one_in_memory(name, tmp_path):
    written, read = read_again(tmp_path, tables={"t": Table({name: COLUMNS[name]}, {name: ""})})
    same_frames(read.table("t"), written.table("t"))


def test_infinite_numbers_are_numbers_even_where_a_column_holds_nothing_else(tmp_path):
    _, read = read_again(tmp_path, tables={"t": Table({"high": [math.inf, None]}, {"high": ""})})
    assert read.tables["t"].columns["high"] == [math.inf, None]
    assert read.table("t")["high"].dtype == float


def test_infinite_timings_are_numbers_and_tables_among_them_are_tables(tmp_path):
    costs = Table({"rung": ["glove"], "price": [math.inf]}, {"rung": "name", "price": "US dollars"})
    written, read = read_again(tmp_path, timings={"break_even": {"high": math.inf, "rung": "glove"}, "costs": costs})
    assert read.timings["break_even"] == {"high": math.inf, "rung": "glove"}
    assert read.timings["costs"] == costs
    assert read == written


@pytest.mark.parametrize("columns", [{"rung": ["a"], "price": []}, {"rung": "a"}, ["a"]])
def test_damaged_timings_are_left_as_the_file_has_them(columns, tmp_path):
    _, read = read_again(tmp_path, timings={"costs": {"columns": columns, "describe": {}}})
    assert read.timings["costs"] == {"columns": columns, "describe": {}}


NUMBERS = st.lists(st.none() | st.floats(width=64) | st.integers(-(2**50), 2**50), max_size=4)


@given(numbers=NUMBERS)
def test_numbers_of_any_kind_come_back_as_they_were(numbers, tmp_path_factory):
    written, read = read_again(tmp_path_factory.mktemp("record"), tables={"t": Table({"n": numbers}, {"n": ""})})
    same_frames(read.table("t"), written.table("t"))


def test_what_is_not_finite_is_none_in_a_table():
    values = [finite_or_none(value) for value in (np.float32(0.5), math.inf, math.nan)]
    assert values == [0.5, None, None]
    assert type(values[0]) is float
