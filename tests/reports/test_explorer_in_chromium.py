"""The word explorer in a real browser: typing finds a word, a link opens it, and neither needs the other."""

from __future__ import annotations

from pathlib import Path

import context_record
import pytest
import senses_record
from chromium import Tab, complaints, installed, requests

from wordworth.reports import render

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
]
SHOWN = "[...document.querySelectorAll('.entry')].filter(e => e.offsetHeight).map(e => e.querySelector('h3').innerText)"
FOUND = "document.getElementById('explore-found').innerText"


def written(folder: Path, record: object) -> Path:
    path = folder / "report.html"
    path.write_text(render(record), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def senses(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("senses"), senses_record.example())


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("context"), context_record.example(tagged=True))


@pytest.fixture
def page(request: pytest.FixtureRequest) -> Path:
    return request.getfixturevalue(request.param)


def typed(tab: Tab, text: str) -> None:
    field = "document.getElementById('explore')"
    tab.value(f"{field}.value = '{text}'")
    tab.value(f"{field}.dispatchEvent(new Event('input'))")


def shown(tab: Tab) -> list[str]:
    return [title.split()[0] for title in tab.value(SHOWN)]


@pytest.mark.parametrize(("page", "word"), [("senses", "bank"), ("context", "w0")], indirect=["page"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_opens_without_a_complaint_a_request_or_a_scroll_bar_across(
    tab: Tab, page: Path, word: str, width: int
) -> None:
    tab.open(page, width=width)
    typed(tab, word)
    assert shown(tab) == [word]
    assert complaints(tab) == []
    assert requests(tab) in ([page.as_uri()], [page.as_uri(), "data:,"])
    assert tab.value("document.documentElement.scrollWidth") <= width


def test_typing_narrows_the_list_and_shows_the_word_that_is_left(tab: Tab, senses: Path) -> None:
    tab.open(senses)
    assert shown(tab) == []
    typed(tab, "ba")
    assert tab.value(FOUND) == "2 of 2 words"
    assert shown(tab) == []
    typed(tab, "BAN")
    assert shown(tab) == ["bank"]
    typed(tab, "bat")
    assert shown(tab) == ["bat"]
    typed(tab, "nothing")
    assert tab.value(FOUND) == "no such word here"


def test_a_word_typed_whole_is_shown_though_others_begin_with_it(tab: Tab, context: Path) -> None:
    tab.open(context)
    words = tab.value("[...document.querySelectorAll('#words-list a')].map(link => link.dataset.word)")
    longer = [word for word in words if word.startswith("w1")]
    assert "w1" in longer
    assert len(longer) > 2
    typed(tab, "w1")
    assert tab.value(FOUND) == f"{len(longer)} of {len(words)} words"
    assert shown(tab) == ["w1"]
    typed(tab, "W")
    assert tab.value(FOUND) == f"{len(words)} of {len(words)} words"


@pytest.mark.parametrize(("page", "words"), [("senses", ("bat", "bank")), ("context", ("w1", "w0"))], indirect=["page"])
def test_a_link_shows_its_word_alone(tab: Tab, page: Path, words: tuple[str, str]) -> None:
    first, other = words
    tab.open(page)
    typed(tab, first)
    typed(tab, "")
    tab.value(f"document.querySelector('#words-list a[data-word={other}]').click()")
    assert shown(tab) == [other]


@pytest.mark.parametrize(("page", "word"), [("senses", "bank"), ("context", "w0")], indirect=["page"])
def test_without_its_script_a_link_still_shows_its_word(tab: Tab, page: Path, word: str, tmp_path: Path) -> None:
    bare = tmp_path / "report.html"
    bare.write_text(page.read_text(encoding="utf-8").rpartition("<script>")[0], encoding="utf-8")
    tab.open(bare)
    assert shown(tab) == []
    tab.value(f"document.querySelector('#words-list a[data-word={word}]').click()")
    tab.value("new Promise(done => setTimeout(done, 100))")
    assert shown(tab) == [word]


@pytest.mark.parametrize(("page", "word"), [("senses", "bank"), ("context", "w0")], indirect=["page"])
def test_who_cannot_point_at_a_mark_opens_the_list_of_sentences(tab: Tab, page: Path, word: str) -> None:
    tab.open(page, width=390)
    typed(tab, word)
    tab.value("document.querySelector('.entry.shown .lines summary').click()")
    tab.value("new Promise(done => setTimeout(done, 100))")
    lines = tab.value("[...document.querySelectorAll('.entry.shown .lines li')].map(line => line.innerText)")
    marks = tab.value("[...document.querySelectorAll('.entry.shown svg.map title')].map(title => title.textContent)")
    assert len(lines) == len(marks) > 2
    assert [line.split() for line in lines] == [mark.split() for mark in marks]
    assert all(word.upper() in line for line in lines)


def test_numbers_stand_only_in_pictures_that_have_their_contexts_beside_them(tab: Tab, senses: Path) -> None:
    tab.open(senses)
    typed(tab, "bank")
    seen = "[...document.querySelectorAll('{} svg.map text')].filter(t => t.getBoundingClientRect().width).length"
    assert tab.value(seen.format(".entry")) == 2
    assert tab.value("document.querySelectorAll('article:not(.entry) svg.map').length") > 0
    assert tab.value(seen.format("article:not(.entry)")) == 0
