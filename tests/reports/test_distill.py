"""The page of a `distill` record: scores and gains as dots, sizes and times in a table, hostile names escaped."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS, captions
from changed import with_table
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.records import Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("distill")
    rows = write_rows(folder / "train.csv", sample_task("single"))
    choices = {"layers": 1, "method": "kd", "seeds": 2, "epochs": 1, "processes": 1}
    return ww.distill(write_tuned(folder / "run"), folder / "small", data=rows, **choices)


def without_control(record):
    """The record as it is where no student was trained without a teacher."""
    models = record.tables["models"]
    bare = [row | {name: None for name in row if name.startswith(("gain", "sure"))} for row in models.rows()]
    return with_table(record, "models", Table.of(bare, models.describe))


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("change", [lambda record: record, without_control])
def test_the_record_holds_the_sentences_of_its_charts(record, change, check):
    check(with_captions(change(record)))


def test_a_student_none_of_whose_runs_ended_is_said_to_have_none(record):
    models = record.tables["models"]
    failed = Table.of([{**row, "loss": None, "score": row["score"]} for row in models.rows()], models.describe)
    title = captions(with_captions(with_table(record, "models", failed)))["scores"].title
    assert title.endswith("; no run ended")


def test_scores_gains_sizes_and_times_are_on_the_page(record):
    page = render(record)
    assert record.finding("verdict").numbers["headline"] in page.replace("&#39;", "'")
    for words in ("What it scores", "What the teacher gives", "first layers", "ms a text one by one", "the teacher"):
        assert words in page
    assert "No gain or loss of kd by its teacher is shown" in page


def test_the_speed_is_among_the_first_sentences(record):
    assert "ms a text in batches of 32, the teacher" in render(record).partition("What it scores")[0]


def test_scores_and_sizes_are_tables_of_few_columns(record):
    page = render(record)
    for caption, columns in (("Students beside their teacher", 4), ("Sizes and times", 3)):
        table = page.partition(f"<caption>{caption}")[2].partition("</thead>")[0]
        assert table.count("<th ") == columns


def test_without_a_control_or_times_there_is_a_page(record):
    page = render(replace(without_control(record), timings={}))
    assert "What the teacher gives" not in page
    assert "ms a text one by one" not in page


def test_names_of_data_are_escaped(record):
    hostile = replace(record, data={**record.data, "run": "<script>alert(1)</script>", "name": "<b>x</b>"})
    page = render(hostile)
    assert "<script>alert" not in page
    assert "<b>x</b>" not in page
