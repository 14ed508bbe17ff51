"""The page of a `finetuning` record: every figure, and strings of the data escaped."""

from dataclasses import replace
from functools import partial

import pytest
from caption_checks import CAPTION_CHECKS
from changed import with_table
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.records import Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.studies.finetuning_changes import results
from wordworth.studies.finetuning_changes.tables import WORDS
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def record(tmp_path_factory):
    folder = tmp_path_factory.mktemp("changes")
    rows = write_rows(folder / "dev.csv", sample_task("single"))
    run = write_tuned(folder / "run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(results, "train_network", partial(results.train_network, steps=2))
        start = str(folder / "run" / "encoder")
        return ww.study_finetuning(run, rows, start=start, limit=60, points=3, draws=100)


def test_everything_that_was_measured_is_on_the_page(record):
    page = render(record)
    assert record.finding("verdict").numbers["headline"] in page
    for words in ("CKA of states", "Every head", "Loss by position", "Loss on the plane", "Words that moved most"):
        assert words in page
    assert page.count('class="share"') == 2 * (8 + 9)


def without(record, *tables):
    for name in tables:
        record = with_table(record, name, Table.of([], record.tables[name].describe))
    return with_captions(record)


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("missing", [(), ("plane",), ("patterns",)])
def test_the_record_holds_the_sentences_of_its_charts(record, missing, check):
    check(without(record, *missing) if missing else record)


def test_a_record_without_a_plane_or_a_way_has_a_page(record):
    page = render(without(record, "plane"))
    assert "On the plane the least loss" not in page
    assert "leaves the straight line" not in page


def test_names_and_words_are_escaped(record):
    word = {"word": "<script>x</script>", "occurrences": 3, "moved": 0.1, "low": 0.0, "high": 0.2, "chosen": 0.1}
    hostile = replace(
        record,
        data={**record.data, "run": "<b>run</b>", "name": "<i>rows", "start": "<u>start"},
        tables={**record.tables, "words": Table.of([{**word, "seed": None}], WORDS)},
    )
    page = render(hostile)
    for text in ("<b>run", "<i>rows", "<u>start", "<script>x"):
        assert text not in page
