"""The page of a `shrink` record: a dot for each smaller model beside the margin, score by time, every number."""

from dataclasses import replace

import pytest
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.reports import render
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("rows") / "dev.csv", sample_task("single"))


@pytest.mark.slow
def test_every_model_has_a_dot_a_point_and_a_line_in_the_table(rows, tmp_path):
    record = ww.study_shrink(write_tuned(tmp_path), rows, limit=60, draws=100, margin=30.0)
    page = render(record)
    assert record.finding("verdict").numbers["headline"] in page
    for row in record.tables["models"].rows():
        assert page.count(str(row["model"])) >= 3
    for words in ("margin", "milliseconds a text, in batches of 32", "a million texts", "is the fastest"):
        assert words in page
    assert "Stored vectors" not in page
    assert "<b>run" not in render(replace(record, data={**record.data, "run": "<b>run</b>"}))


@pytest.mark.slow
def test_forms_of_vectors_have_a_figure_and_a_table(rows):
    page = render(ww.study_shrink("mini", rows, limit=60, draws=100))
    for words in ("Stored vectors", "first 32 numbers", "bits rescored", "1.0 kB", "Every form of a text"):
        assert words in page
