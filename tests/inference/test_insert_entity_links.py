"""Spans of a file become links in the texts of a table; what lies outside is one clear error and writes nothing."""

import csv

import pytest
from tests.models.entity_fusion.fused import write_table

import wordworth as ww
from wordworth.errors import BadInput

ROWS = [{"text": "in London", "label": "a"}, {"text": "she ran", "label": "b"}]
SPANS = [{"row": 0, "start": 3, "end": 9, "entity": "Q1"}]


def written(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_mentions_become_links_and_everything_else_stays(tmp_path):
    spans = [{**SPANS[0], "marker": "HD"}, {"row": 1, "start": 0, "end": 3, "entity": "", "marker": "ENT"}]
    report = ww.link_entities(ROWS, spans, tmp_path / "out.csv", entities=write_table(tmp_path / "kg"))
    assert (report.rows, report.mentions, report.entities) == (2, 2, 1)
    assert written(tmp_path / "out.csv") == [
        {"text": "in [[HD:Q1|London]]", "label": "a"},
        {"text": "[[ENT:|she]] ran", "label": "b"},
    ]


def test_both_texts_of_a_pair_can_have_links(tmp_path):
    rows = [{"first": "a bank", "second": "the bank"}]
    spans = [
        {"row": 0, "start": 2, "end": 6, "entity": "Q1", "column": "first"},
        {"row": 0, "start": 4, "end": 8, "entity": "Q2", "column": "second"},
    ]
    ww.link_entities(rows, spans, tmp_path / "out.csv", text="first")
    assert written(tmp_path / "out.csv") == [{"first": "a [[Q1|bank]]", "second": "the [[Q2|bank]]"}]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"row": 2}, "row 2, and the texts have 2 rows"),
        ({"end": 40}, "from character 3 to 40 of a text of 9 characters"),
        ({"start": -1}, "start is '-1', not a whole number"),
        ({"entity": "Q77"}, "the entity 'Q77' has no vector"),
        ({"marker": "XX"}, "unknown marker 'XX'"),
        ({"column": "body"}, "column 'body' not found"),
    ],
)
def test_a_span_that_fits_no_text_is_one_clear_error(tmp_path, change, message):
    with pytest.raises(BadInput, match=message):
        ww.link_entities(ROWS, [{**SPANS[0], **change}], tmp_path / "out.csv", entities=write_table(tmp_path / "kg"))
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("0,3,40,Q1", "a mention from character 3 to 40"),
        ("0,5,9,Q1", "the mentions 'London' and 'ndon' overlap"),
        ("0,3,9,a|b", r"the entity 'a\|b'"),
    ],
)
def test_the_line_is_that_of_the_span_that_does_not_fit(tmp_path, bad, message):
    lines = ["row,start,end,entity", "0,0,2,Q2", "1,0,3,Q1", "0,3,9,Q1", bad]
    (tmp_path / "links.csv").write_text("\n".join(lines) + "\n")
    with pytest.raises(BadInput, match=rf"links\.csv, line 5: {message}"):
        ww.link_entities(ROWS, tmp_path / "links.csv", tmp_path / "out.csv")


def test_columns_that_are_missing_are_named(tmp_path):
    with pytest.raises(BadInput, match="column 'entity' not found"):
        ww.link_entities(ROWS, [{"row": 0, "start": 3, "end": 9}], tmp_path / "out.csv")
    with pytest.raises(BadInput, match="no column of texts"):
        ww.link_entities([{"x1": "a"}], SPANS, tmp_path / "out.csv")


def test_a_mention_needs_an_entity_or_a_marker_and_its_line_is_named(tmp_path):
    (tmp_path / "links.csv").write_text("row,start,end,entity\n0,3,9,Q1\n1,0,3,\n")
    with pytest.raises(BadInput, match=r"links\.csv, line 3: this mention has neither an entity nor a marker"):
        ww.link_entities(ROWS, tmp_path / "links.csv", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_a_file_of_tags_is_refused_with_what_can_be_written(tmp_path):
    with pytest.raises(BadInput, match=r"not texts with links; give a \.jsonl, \.csv or \.parquet"):
        ww.link_entities(ROWS, SPANS, tmp_path / "out.conll")
