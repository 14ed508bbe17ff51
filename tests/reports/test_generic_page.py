"""Records whose kind has no page of its own."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordworth.errors import BadInput
from wordworth.records import Finding, Record, Table
from wordworth.reports import register, render

VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)


def record(rows, **finding):
    describe = {"low": "lower end", "value": "mean over runs", "model": "as it was named"}
    return Record(
        kind="of-my-own",
        settings={"seed": 0},
        data={"name": "texts.csv", "sources": [{"path": "texts.csv", "sha256": "abc"}]},
        tables={"scores": Table.of(rows, describe), "nothing": Table.of([], describe)},
        findings=[Finding("verdict", "It is so.", finding), Finding("warning.few", "Only two runs.")],
    )


ROW = {"model": "mini", "value": 0.51239, "low": 0.4}


def test_its_answer_its_numbers_and_its_warnings_are_told():
    page = render(record([ROW], headline="Yes."))
    for told in ("Of my own · texts.csv", "Yes.", "It is so.", "0.5124", "Only two runs.", "abc"):
        assert told in page


def test_a_kind_that_no_page_is_registered_for_says_so_and_a_known_one_does_not():
    assert "There is no page for records of kind “of-my-own” here" in render(record([ROW]))
    assert "There is no page" not in render(replace(record([ROW]), kind="evaluate"))


def test_a_page_registered_for_a_kind_draws_its_records():
    register("counted-words", lambda of_kind: f"<!doctype html>{of_kind.kind}")
    assert render(replace(record([ROW]), kind="counted-words")) == "<!doctype html>counted-words"
    with pytest.raises(BadInput, match="already"):
        register("worth", render)


def test_names_come_first_and_an_interval_behind_its_value():
    page = render(record([ROW, {**ROW, "model": "glove"}]))
    head = page.split("<thead>")[1].split("</thead>")[0]
    assert head.index("model") < head.index("value") < head.index("low")
    assert 'title="mean over runs"' in head


def test_numbers_that_count_the_rows_come_before_other_numbers():
    levels = [{"error": 1.0 / level, "codes": 12**level, "level": level} for level in (1, 2, 3)]
    page = render(replace(record([ROW]), tables={"levels": Table.of(levels, dict.fromkeys(levels[0], ""))}))
    head = page.split("<thead>")[1].split("</thead>")[0]
    assert head.index("level") < min(head.index("codes"), head.index("error"))


def test_a_table_without_rows_is_left_out_and_a_long_one_says_that_it_was_cut():
    page = render(record([ROW] * 501))
    assert "Nothing</" not in page
    assert "The first 500 of 501 rows" in page


@settings(max_examples=30, deadline=None)
@given(st.lists(st.fixed_dictionaries({"model": VALUES, "value": VALUES, "low": VALUES}), max_size=4))
def test_any_values_make_a_page(rows):
    assert render(record(rows)).count("<h1") == 1


def test_what_a_record_holds_is_never_run():
    assert "<script>alert" not in render(record([{**ROW, "model": "<script>alert(1)</script>"}]))


def test_a_cell_that_holds_several_named_numbers_is_written_as_a_person_would():
    rows = [{"variant": "bert", "held_out": {"mlm": 5.296147172928057, "right": 0.2171}}]
    table = Table.of(rows, {"variant": "which", "held_out": "losses"})
    page = render(Record(kind="made-up", settings={}, data={"name": "n"}, tables={"training": table}, findings=[]))
    assert "mlm 5.296, right 0.2171" in page
    assert "{&#39;" not in page
