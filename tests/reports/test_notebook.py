"""A record as the output of a notebook's cell: small, folded, and harmless there."""

from html.parser import HTMLParser

import pytest
from tests.reports.example_record import example

import wordworth as ww
from wordworth.records import Finding, Record, Table


class Seen(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.text = set(), ""
        self.feed(html)

    def handle_starttag(self, tag, attributes):  # noqa: ARG002 - as of the base class
        self.tags.add(tag)

    def handle_data(self, data):
        self.text += data


def shown(record):
    return Seen(record._repr_html_())


def of_tables(tables):
    return Record("words", {}, {}, tables, [Finding("verdict", "It holds.", {"headline": "Yes."})])


def test_a_record_shows_its_answer_its_warnings_and_every_table_and_is_small():
    record = example()
    seen = shown(record)
    assert record.verdict.partition("\n")[0] in seen.text
    assert all(warning.text in seen.text for warning in record.warnings)
    assert all(f"{name} (" in seen.text for name in record.tables)
    assert len(record._repr_html_()) < 100_000 < len(ww.report(record))


def test_a_record_that_was_read_shows_the_same_answer_and_tables(tmp_path):
    record = example()
    record.save(tmp_path / "record.json")
    seen = shown(ww.read_record(tmp_path))
    assert record.verdict.partition("\n")[0] in seen.text
    assert all(f"{name} ({len(table.rows())} row" in seen.text for name, table in record.tables.items())


def test_the_first_rows_of_a_long_table_are_shown_and_counted():
    seen = shown(of_tables({"scores": Table({"word": [f"word-{n}" for n in range(30)], "score": [0.5] * 30}, {})}))
    assert "scores (30 rows, the first 8)" in seen.text
    assert "word-7" in seen.text
    assert "word-8" not in seen.text


@pytest.mark.parametrize("cell", ["x" * 5_000, "<&>" * 2_000])
def test_tables_that_would_make_it_long_are_named(cell):
    tables = {f"t{n}": Table({f"c{k}": [cell] * 20 for k in range(20)}, {}) for n in range(30)}
    record = of_tables(tables)
    assert len(record._repr_html_()) < 100_000
    assert "More tables:" in shown(record).text
    assert all(name in shown(record).text for name in tables)


def test_what_a_record_holds_is_text_in_the_notebook_and_nothing_more():
    evil = "</td><script>alert(1)</script><style>*{color:red}</style>"
    record = Record(
        evil, {}, {}, {evil: Table({evil: [evil]}, {})}, [Finding("verdict", evil), Finding("warning.x", evil)]
    )
    seen = shown(record)
    assert not seen.tags & {"script", "style", "iframe", "link", "img"}
    assert evil in seen.text


def test_a_record_without_an_answer_shows_its_kind():
    assert "words" in shown(Record("words", {}, {}, {}, [])).text
