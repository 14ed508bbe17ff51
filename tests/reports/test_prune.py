"""The page of a `prune` record: both models in a table, the change as a dot, a square for each head."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS, captions
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.reports import render
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("prune")


@pytest.fixture(scope="module")
def run(folder):
    return write_tuned(folder / "run")


@pytest.fixture(scope="module")
def rows(folder):
    return write_rows(folder / "dev.csv", sample_task("single"))


@pytest.fixture(scope="module")
def removed(run, rows, folder):
    return ww.prune(run, folder / "small", heads=0.5, data=rows, limit=60)


@pytest.fixture(scope="module")
def zeroed(run, rows, folder):
    return ww.prune(run, folder / "zeros", heads=0.5, data=rows, limit=60, as_zeros=True)


@pytest.fixture(scope="module")
def dropped(run, rows, folder):
    return ww.prune(run, folder / "fewer", layers=1, data=rows, limit=60)


@pytest.fixture(scope="module")
def unscored(run, folder):
    return ww.prune(run, folder / "short", layers=1)


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("name", ["removed", "zeroed", "dropped"])
def test_the_record_holds_the_sentences_of_its_charts(name, check, request):
    check(request.getfixturevalue(name))


def test_a_record_without_charts_holds_no_sentences_of_any(removed, dropped, unscored):
    assert [[*captions(record)] for record in (removed, dropped, unscored)] == [["change", "heads"], ["change"], []]


def test_scores_size_speed_and_heads_are_on_the_page(removed):
    page = render(removed)
    assert removed.finding("verdict").numbers["headline"] in page
    assert page.count('class="share"') == 2 * 8
    for words in ("as many at random", "ms a text one by one", "4 of 8 heads removed, 4 left", "Only Wordworth loads"):
        assert words in page
    assert page.count(">×<") == 2 * 4


def test_heads_set_to_zero_are_said_to_be(zeroed):
    page = render(zeroed)
    assert "4 of 8 heads set to zero, 4 left" in page
    assert "× set to zero" in page


def test_without_rows_the_page_has_sizes_alone_and_says_what_is_not_known(unscored):
    page = render(unscored)
    assert "ms a text" not in page
    assert "what the smaller model scores" in page
    assert "<b>run" not in render(replace(unscored, data={**unscored.data, "run": "<b>run</b>"}))
