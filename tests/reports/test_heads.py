"""The page of a `heads` record: curves, smaller models, a square for each head, a row for each layer."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.reports import render
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("heads")
    rows = write_rows(folder / "dev.csv", sample_task("single"))
    return ww.study_heads(write_tuned(folder / "run"), rows, limit=60, draws=100)


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_charts(record, check):
    check(record)


def test_everything_that_was_measured_is_on_the_page(record):
    page = render(record)
    assert record.finding("verdict").numbers["headline"] in page
    assert page.count('class="share"') == 2 * 8
    for words in ("least important first", "random orders", "first 1 layer", "one head kept", "beyond doubt"):
        assert words in page


def test_names_are_escaped(record):
    hostile = replace(record, data={**record.data, "run": "<b>run</b>", "name": "<i>rows"})
    page = render(hostile)
    assert "<b>run" not in page
    assert "<i>rows" not in page
