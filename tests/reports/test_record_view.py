from __future__ import annotations

import dataclasses

import pytest
from example_record import Shape, example
from hypothesis import given
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.records import Finding, Record, Table
from wordworth.reports import render
from wordworth.reports.record_view import RecordView


def test_a_table_whose_columns_differ_in_length_is_refused_in_a_line() -> None:
    record = example(Shape())
    ladder = record.tables["ladder"]
    torn = Table({**ladder.columns, "score": ladder.columns["score"][:-1]}, ladder.describe)
    with pytest.raises(BadInput, match=r"columns of unequal length: .*run the study again"):
        render(dataclasses.replace(record, tables={**record.tables, "ladder": torn}))


def view(**parts):
    """The view of a record that has these parts and nothing else."""
    empty = {"settings": {}, "data": {}, "tables": {}, "findings": []}
    return RecordView.of(Record("any", **(empty | parts)))


@given(st.lists(st.tuples(st.text(), st.none() | st.floats(allow_nan=False, allow_infinity=False)), max_size=6))
def test_the_rows_of_a_table_come_back_as_they_were_put_in(values):
    rows = [{"name": name, "value": value} for name, value in values]
    table_rows = view(tables={"t": Table.of(rows, {"name": "", "value": ""})}).rows("t")
    assert table_rows == rows


def test_a_table_that_the_page_can_do_without_is_empty_where_it_is_missing_and_another_is_an_error():
    class Strict(RecordView):
        needed = frozenset({"scores"})

    record = Record("any", {}, {}, {}, [])
    assert Strict.of(record).rows("published") == []
    with pytest.raises(KeyError, match="scores"):
        Strict.of(record).rows("scores")


def test_findings_are_those_of_a_name_and_of_what_stands_after_its_dot():
    names = ("verdict", "method.curves", "methodical.other", "method", "warning.method")
    viewed = view(findings=[Finding(name, f"About {name}.") for name in names])
    assert viewed.sentences("method") == ("About method.curves.", "About method.")
    assert viewed.findings("condition") == []


def test_a_record_without_a_verdict_has_no_numbers_of_one():
    assert view().verdict == {}
    assert view(findings=[Finding("verdict", "So.", {"rung": "tfidf"})]).verdict == {"rung": "tfidf"}


@pytest.mark.parametrize(
    ("environment", "made"),
    [
        ({"date": "2026-11-21", "cpu": "Example CPU", "device": "cpu"}, "2026-11-21 · Example CPU"),
        ({"date": "2026-11-21", "cpu": "Example CPU", "device": "Some GPU"}, "2026-11-21 · Example CPU · Some GPU"),
        ({"cpu": None}, ""),
    ],
)
def test_when_and_where_a_record_was_made_leaves_out_what_is_not_known(environment, made):
    assert view(environment=environment).made == made
