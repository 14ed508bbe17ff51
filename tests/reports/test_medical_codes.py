"""The page of a study of codes: scores, differences, filters, and that the patients are made up; all escaped."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS, captions
from changed import changed
from tests.studies.medical_codes.conftest import codes_study  # noqa: F401 - a fixture

from wordworth.records import Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_charts(codes_study, check):  # noqa: F811
    check(codes_study[1])


def test_a_note_says_how_many_codes_are_rare(codes_study):  # noqa: F811
    record = with_captions(changed(codes_study[1], "targets", rare=False))
    codes = len(record.tables["targets"].rows())
    assert captions(record)["scores"].notes[1] == f"Rare: 0 of {codes} codes, in at most 0 visits each."


def test_scores_differences_and_filters_are_on_the_page(codes_study):  # noqa: F811
    page = render(codes_study[1])
    for words in (
        "synthetic patients",
        "Graph and pretraining add",
        "logistic regression",
        "in visits with both kinds",
        "Chosen on validation visits",
        "most frequent of",
        "the model without both",
    ):
        assert words in page


def test_patients_that_are_real_are_not_called_synthetic(codes_study):  # noqa: F811
    record = codes_study[1]
    real = replace(record, settings={**record.settings, "synthetic": False}, findings=[record.finding("verdict")])
    assert "synthetic patients" not in render(real)


def test_codes_are_escaped(codes_study):  # noqa: F811
    record = codes_study[1]
    rows = [{**row, "code": "<img src=x>"} for row in record.tables["targets"].rows()]
    tables = {**record.tables, "targets": Table.of(rows, record.tables["targets"].describe)}
    assert "<img src=x>" not in render(replace(record, tables=tables))
