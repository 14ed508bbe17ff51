"""The folded table of prediction sets."""

from __future__ import annotations

import dataclasses

from elements import named
from example_record import example

from wordworth.records import Table
from wordworth.reports import render
from wordworth.studies.worth.prediction_sets import PREDICTION_SETS

TITLE = "Prediction sets: the classes that a text may have, made to hold the right one in 90 % of texts"
ROW = {
    "rung": "tfidf",
    "level": 0.9,
    "coverage": 0.912,
    "coverage_low": 0.88,
    "coverage_high": 0.94,
    "size": 1.37,
    "single": 0.64,
}


def test_a_rung_has_its_coverage_with_the_interval_and_the_size_of_its_sets() -> None:
    record = example()
    tables = {**record.tables, "prediction_sets": Table.of([ROW], PREDICTION_SETS)}
    html = render(dataclasses.replace(record, tables=tables))
    text = next(element.text for element in named(html, "details") if TITLE in element.text)
    for written in ("91 %", "88 % to 94 %", "1.37", "64 %"):
        assert written in text


def test_a_record_without_the_table_has_no_such_fold() -> None:
    assert TITLE not in render(example())
