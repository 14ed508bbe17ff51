"""The page of a study of entities shows every system, every difference, and how many links there are."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS, captions
from changed import with_table
from tests.studies.entities.conftest import QUICK, write_inputs

from wordworth.records import Finding, Table
from wordworth.reports.captions import with_captions
from wordworth.reports.entities import page
from wordworth.studies.entities import entities


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    folder = write_inputs(tmp_path_factory.mktemp("entities"))
    model = str(folder / "fused")
    return folder, entities(folder / "rows.csv", folder / "run", model=model, control=model, **QUICK)


@pytest.fixture(scope="module")
def records(quick):
    """The study, and one in which no run ended, so that there are no differences."""
    record = quick[1]
    none = with_table(record, "differences", Table.of([], record.tables["differences"].describe))
    verdict = Finding(
        "verdict", "Every run with entities, or every run without, failed.", {"headline": "No run ended."}
    )
    return {"compared": record, "failed": with_captions(replace(none, findings=[verdict]))}


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("of", ["compared", "failed"])
def test_the_record_holds_the_sentences_of_its_charts(records, of, check):
    check(records[of])


def test_differences_have_a_caption_where_runs_ended(records):
    assert list(captions(records["compared"])) == ["scores", "differences"]
    assert list(captions(records["failed"])) == ["scores"]
    assert captions(records["failed"])["scores"].title == "No run ended."


def test_every_system_and_difference_is_on_the_page(quick):
    folder, record = quick
    text = page(record)
    for words in ("linked", "exchanged entities", "no entities", "control model", "linked − no entities", "Every run"):
        assert words in text
    assert (folder / "run" / "report.html").exists()


def test_it_says_how_many_rows_have_an_entity(quick):
    assert "rows with an entity" in page(quick[1])
