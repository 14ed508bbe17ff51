"""The page of a record as Python holds it: text, a file, and a frame in a notebook that can do no harm there."""

from html.parser import HTMLParser

import pytest
from tests.reports.example_record import example

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.records import Finding, Record, Table
from wordworth.report_page import ReportPage
from wordworth.reports import render


class Frames(HTMLParser):
    """The frames of a text of HTML, and every other tag outside them."""

    def __init__(self, html):
        super().__init__()
        self.frames, self.others = [], []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        (self.frames if tag == "iframe" else self.others).append(dict(attributes) if tag == "iframe" else tag)


@pytest.fixture(scope="module")
def drawn():
    return example()


def test_the_report_of_a_record_is_its_page(drawn, tmp_path):
    drawn.save(tmp_path / "record.json")
    page = ww.report(drawn)
    assert page == str(page) == render(drawn)
    assert ww.report(tmp_path) == ww.report(str(tmp_path / "record.json")) == page
    page.save(tmp_path / "page.html")
    ww.report(tmp_path, out=tmp_path / "other.html")
    assert (tmp_path / "page.html").read_text() == (tmp_path / "other.html").read_text() == page
    assert len(repr(page)) < 100


def test_a_page_shows_itself_in_a_sandboxed_frame_of_a_notebook(drawn):
    shown = Frames(ww.report(drawn)._repr_html_())
    (frame,) = shown.frames
    assert shown.others == []
    assert frame["srcdoc"] == render(drawn)
    assert frame["sandbox"] == "allow-scripts"


def test_a_page_cannot_leave_its_frame():
    page = ReportPage('"></iframe><script>alert(1)</script>&quot;')
    shown = Frames(page._repr_html_())
    assert shown.others == []
    assert [frame["srcdoc"] for frame in shown.frames] == [str(page)]


def test_the_page_does_not_replace_the_record(drawn, tmp_path):
    drawn.save(tmp_path / "record.json")
    with pytest.raises(BadInput):
        ww.report(tmp_path, out=tmp_path / "record.json")
    assert ww.read_record(tmp_path).kind == drawn.kind


def test_a_record_is_short_in_a_terminal(drawn):
    assert len(repr(drawn)) < 400
    assert repr(drawn).startswith(f"<Record worth: {drawn.finding('verdict').numbers['headline'][:20]}")
    bare = Record("words", {}, {}, {"scores": Table({}, {})}, [])
    assert repr(bare) == "<Record words; tables scores>"
    wordy = Record("words", {}, {}, {}, [Finding("verdict", "word " * 99 + "\nmore")])
    assert len(repr(wordy)) < 160
