from __future__ import annotations

import pytest

from wordworth.errors import BadInput
from wordworth.text.corpus import txt_layouts
from wordworth.text.corpus.txt_layouts import layout_of, paragraphs, text_documents

ORIGINAL = "This is one sentence.\nThis is another.\n\nA new document begins.\nIt has two.\nOr three?\n"
PROSE = "A paragraph of two sentences. This is the second.\n\nAnother one. With two again.\n"
WRAPPED = "The lines of this text\nwere wrapped by hand so that\nnone is long. It goes on.\n\nA second\nparagraph.\n"


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "text.txt"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return write


@pytest.mark.parametrize(
    ("text", "layout"),
    [
        (ORIGINAL, "sentences"),
        (PROSE, "document"),
        (WRAPPED, "document"),
        (ORIGINAL.replace("\n\n", "\n"), "document"),
        ("One line.\n\nAnother line.\n\nA third.\n", "document"),
        ("", "document"),
    ],
)
def test_the_originals_format_is_recognised_and_nothing_else_is_taken_for_it(file, text, layout):
    assert layout_of(file(text)) == layout


def test_documents_of_each_layout(file):
    path = file(ORIGINAL)
    assert list(text_documents(path, "sentences")) == [
        "This is one sentence.\nThis is another.",
        "A new document begins.\nIt has two.\nOr three?",
    ]
    assert list(text_documents(path, "document")) == [ORIGINAL[:-1]]
    assert list(text_documents(path, "lines"))[:3] == ["This is one sentence.", "This is another.", ""]


def test_a_single_line_break_is_a_blank_only_where_lines_were_wrapped():
    assert paragraphs(WRAPPED) == [
        "The lines of this text were wrapped by hand so that none is long. It goes on.",
        "A second paragraph.",
    ]
    long = "word " * 30
    assert paragraphs(f"Heading\n{long}\n\n \n{long}") == ["Heading", long, long]
    assert paragraphs("all in one") == ["all in one"]


def test_a_document_without_end_is_refused(file, monkeypatch):
    monkeypatch.setattr(txt_layouts, "LONGEST_DOCUMENT", 50)
    with pytest.raises(BadInput, match=r"one document of more than 50 characters.*layout"):
        list(text_documents(file(PROSE), "document"))
    monkeypatch.setattr(txt_layouts, "_MOST_LINES", 2)
    with pytest.raises(BadInput, match="more than 2 lines"):
        list(text_documents(file(ORIGINAL), "sentences"))


def test_a_line_without_end_is_refused(file, monkeypatch):
    monkeypatch.setattr("wordworth.text.read_compressed_file._LONGEST_LINE", 100)
    with pytest.raises(BadInput, match="line 2: this line is longer than 100 bytes"):
        list(text_documents(file("short\n" + "x" * 500), "document"))


def test_text_that_is_not_utf8_is_refused_with_its_line(file):
    with pytest.raises(BadInput, match="line 2: not UTF-8"):
        list(text_documents(file(b"fine\ncaf\xe9\n"), "document"))
