"""The page of a `shrink` record: a dot for each smaller model beside the margin, score by time, every number."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from caption_checks import CAPTION_CHECKS
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.records import Table, read
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.testing.sample_tasks import sample_task

RECORDS = Path(__file__).parents[2] / "docs" / "records"


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("rows") / "dev.csv", sample_task("single"))


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("name", ["shrink_sst2", "shrink_sts"])
def test_the_record_holds_the_sentences_of_its_charts_with_stored_vectors_and_without(name, check):
    check(with_captions(read(RECORDS / f"{name}.json")))


@pytest.mark.slow
def test_every_model_has_a_dot_a_point_and_a_line_in_the_table(rows, tmp_path):
    record = ww.study_shrink(write_tuned(tmp_path), rows, limit=60, draws=100, margin=30.0)
    page = render(record)
    assert record.finding("verdict").numbers["headline"] in page
    for row in record.tables["models"].rows():
        assert page.count(str(row["model"])) >= 3
    for words in ("margin", "milliseconds a text, in batches of 32", "a million texts"):
        assert words in page
    assert "Stored vectors" not in page
    assert "<b>run" not in render(replace(record, data={**record.data, "run": "<b>run</b>"}))


@pytest.mark.slow
def test_forms_of_vectors_have_a_figure_and_a_table(rows):
    page = render(ww.study_shrink("mini", rows, limit=60, draws=100))
    for words in ("Stored vectors", "first 32 numbers", "bits rescored", "1.0 kB", "Every form of a text"):
        assert words in page


def test_figures_and_table_show_the_intervals_that_decide_and_their_level():
    page = unescape(render(read(RECORDS / "shrink_sst2.json"))).replace("\xa0", " ")
    assert "Every model, each made smaller in one way; intervals of 99.6 %, corrected for 13 comparisons" in page
    assert "Dots with intervals of 99.6 %, corrected for 13 comparisons" in page
    assert "Intervals of 99.6 %, corrected for 13 comparisons; they are those of the change" in page
    assert "Of the models that are enough int8 is the fastest" in page
    assert "−5.0 to +0.8" in page  # of the student, of which the rows cannot tell
    assert "−4.1 to −0.1" not in page  # its interval of 95 %


def test_no_axis_goes_beyond_100_where_the_whole_model_is_nearly_perfect():
    record = read(RECORDS / "shrink_sst2.json")
    table = record.tables["models"]
    models = Table.of([{**row, "score": row["score"] + 0.11} for row in table.rows()], table.columns)
    page = render(replace(record, tables={**record.tables, "models": models}))
    frontier = page[page.index('id="frontier-title"') :].partition("</figure>")[0]
    ticks = [float(words) for words in re.findall(r'text-anchor="end">(\d+(?:\.\d+)?)<', frontier)]
    assert max(ticks) == 100


def test_the_margin_is_on_the_axes_where_every_loss_is_small_or_far_beyond():
    record = read(RECORDS / "shrink_sts.json")
    page = render(record)
    assert "2 of 7 smaller models are enough<" in page  # of none the rows cannot tell
    assert page.count(">margin</text>") == 4  # models and vectors, wide and for a phone
    assert ">82.8<" in page
    assert page.count(">82.8</text>") <= 2


def test_a_model_that_does_not_beat_the_constant_answer_has_no_smaller_one_that_is_enough():
    record = read(RECORDS / "shrink_sst2.json")
    verdict = record.finding("verdict")
    numbers = {**verdict.numbers, "headline": "Nothing to shrink.", "model": None, "model_beats_constant": False}
    findings = [replace(each, numbers=numbers) if each is verdict else each for each in record.findings]
    page = render(replace(record, findings=findings))
    assert "3 of 13 smaller models are within the margin" in page
    assert not re.findall(r">enough<|are enough|enough, in bold", page)
    assert "is the fastest" not in page
