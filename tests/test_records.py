"""A record as a file: its tables keep the order of their columns, and the same record is the same bytes."""

import math
from pathlib import Path

import numpy as np
import pytest

from wordworth import records
from wordworth.errors import NotFound
from wordworth.records import Finding, Record, Table

TABLE = Table(
    {"rung": ["tfidf"], "score": [0.5], "labels": [100]}, {"rung": "name", "score": "mean", "labels": "count"}
)


def record(**parts):
    empty = {"kind": "worth", "settings": {}, "data": {}, "tables": {"ladder": TABLE}, "findings": []}
    return Record(**{**empty, **parts})


def test_the_columns_of_a_table_come_back_in_the_order_in_which_they_were_written(tmp_path):
    record(timings={"costs": TABLE}).save(tmp_path / "record.json")
    read = records.read(tmp_path)
    for table in (read.tables["ladder"].columns, read.tables["ladder"].describe, read.timings["costs"].columns):
        assert list(table) == ["rung", "score", "labels"]
    assert list(read.table("ladder").columns) == ["rung", "score", "labels"]


def test_a_record_that_was_read_is_written_as_the_same_bytes(tmp_path):
    written = record(timings={"costs": TABLE}, settings={"seed": 1, "limit": None})
    written.save(tmp_path / "record.json")
    assert records.read(tmp_path).to_json() == written.to_json() == (tmp_path / "record.json").read_text("utf-8")


def test_a_record_that_was_read_equals_the_one_that_was_saved(tmp_path):
    odd = Table({"labels": [100, 200], "needed": [math.inf, 3.5], "error": [0.1, math.nan]}, dict.fromkeys("ab", ""))
    written = record(
        tables={"ladder": TABLE, "curve": odd},
        settings={"seed": 1, "models": ("minilm", "glove")},
        data={"test": np.int64(3), "path": Path("a.csv")},
        findings=[Finding("verdict", "So it is.", {"rung": "tfidf", "labels_to_tell": math.inf})],
        timings={"costs": TABLE},
    )
    written.save(tmp_path / "record.json")
    read = records.read(tmp_path)
    assert read == written
    assert read != record()
    assert read != written.to_json()


def test_infinite_numbers_come_back_as_numbers_and_texts_as_texts(tmp_path):
    table = Table({"text": ["inf", "film"], "needed": [-math.inf, 2.0]}, {"text": "", "needed": ""})
    written = record(tables={"t": table}, findings=[Finding("verdict", "", {"labels_to_tell": math.inf, "of": 3})])
    written.save(tmp_path / "record.json")
    read = records.read(tmp_path)
    assert read.finding("verdict").numbers == {"labels_to_tell": math.inf, "of": 3}
    assert read.tables["t"].columns == {"text": ["inf", "film"], "needed": [-math.inf, 2.0]}
    assert read.to_json() == written.to_json()


def test_the_order_of_settings_makes_no_difference():
    assert record(settings={"seed": 1, "a": 2}).to_json() == record(settings={"a": 2, "seed": 1}).to_json()


def test_what_is_shown_of_a_record_names_every_table_that_is_found():
    shown = repr(record(timings={"costs": TABLE, "seconds": {"glove": 3.0}}))
    assert shown == "<Record worth; tables ladder, costs>"


def test_a_table_of_costs_is_found_as_any_other_though_the_clock_decides_it(tmp_path):
    costs = Table({"rung": ["glove"], "latency": [0.5]}, {"rung": "name", "latency": "milliseconds"})
    written = record(timings={"costs": costs, "seconds": {"glove": 3.0}})
    written.save(tmp_path / "record.json")
    for each in (written, records.read(tmp_path)):
        assert each.table("costs").to_dict("list") == {"rung": ["glove"], "latency": [0.5]}
        with pytest.raises(NotFound, match="no table 'seconds'; available: 'ladder', 'costs'"):
            each.table("seconds")


def test_a_table_that_is_no_name_is_not_found():
    with pytest.raises(NotFound, match="no table 5"):
        record().table(5)


def test_a_table_shows_its_size_and_not_its_cells():
    assert repr(Table.of([{"rung": "glove", "gap": 0.1}], {"rung": "", "gap": ""})) == (
        "<Table of 1 rows; columns rung, gap>"
    )
    assert repr(Table({}, {})) == "<Table of 0 rows; columns >"
