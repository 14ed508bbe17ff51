"""The word explorer in a real browser: typing finds a word, a link opens it, and neither needs the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from chromium import Tab, complaints, installed, requests
from senses_record import example

from wordworth.pages import render

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
]
SHOWN = "[...document.querySelectorAll('.entry')].filter(e => e.offsetHeight).map(e => e.querySelector('h3').innerText)"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(example()), encoding="utf-8")
    return path


def typed(tab: Tab, text: str) -> None:
    field = "document.getElementById('explore')"
    tab.value(f"{field}.value = '{text}'")
    tab.value(f"{field}.dispatchEvent(new Event('input'))")


@pytest.mark.parametrize("width", [1280, 390])
def test_it_opens_without_a_complaint_a_request_or_a_scroll_bar_across(tab: Tab, page: Path, width: int) -> None:
    tab.open(page, width=width)
    typed(tab, "bank")
    assert complaints(tab) == []
    assert requests(tab) in ([page.as_uri()], [page.as_uri(), "data:,"])
    assert tab.value("document.documentElement.scrollWidth") <= width


def test_typing_narrows_the_list_and_shows_the_word_that_is_left(tab: Tab, page: Path) -> None:
    tab.open(page)
    assert tab.value(SHOWN) == []
    typed(tab, "ba")
    assert tab.value("document.getElementById('explore-found').innerText") == "2 of 2 words"
    assert tab.value(SHOWN) == []
    typed(tab, "BAN")
    assert [title.split()[0] for title in tab.value(SHOWN)] == ["bank"]
    typed(tab, "bat")
    assert [title.split()[0] for title in tab.value(SHOWN)] == ["bat"]
    typed(tab, "nothing")
    assert tab.value("document.getElementById('explore-found').innerText") == "no such word here"


def test_a_link_shows_its_word_alone(tab: Tab, page: Path) -> None:
    tab.open(page)
    typed(tab, "bat")
    typed(tab, "")
    tab.value("document.querySelector('#words-list a[data-word=bank]').click()")
    assert [title.split()[0] for title in tab.value(SHOWN)] == ["bank"]


def test_without_its_script_a_link_still_shows_its_word(tab: Tab, page: Path, tmp_path: Path) -> None:
    bare = tmp_path / "report.html"
    bare.write_text(page.read_text(encoding="utf-8").rpartition("<script>")[0], encoding="utf-8")
    tab.open(bare)
    assert tab.value(SHOWN) == []
    tab.value("document.querySelector('#words-list a[data-word=bank]').click()")
    tab.value("new Promise(done => setTimeout(done, 100))")
    assert [title.split()[0] for title in tab.value(SHOWN)] == ["bank"]
