"""The folded table of probabilities."""

from __future__ import annotations

import dataclasses

import pytest
from elements import named
from example_record import example

from wordworth.records import Table
from wordworth.reports import render
from wordworth.studies.worth.probability_scores import PROBABILITIES

TITLE = "Probabilities: how far they can be trusted"
ROW = dict.fromkeys(PROBABILITIES, 0.0) | {
    "positive": "spam & <more>",
    "log_loss": 0.1234,
    "log_loss_low": 0.1,
    "log_loss_high": 0.15,
    "calibration_error": 0.021,
    "calibration_error_low": 0.0,
    "calibration_error_high": 0.043,
    "precision_10": 0.875,
    "temperature": 1.4,
    "held_out": 1_200,
}


def page(**changes: object) -> str:
    record = example()
    rows = [ROW | {"rung": rung} | changes for rung in ("majority", "tfidf")]
    table = Table.of(rows, PROBABILITIES)
    return render(dataclasses.replace(record, tables={**record.tables, "probabilities": table}))


def folded(html: str) -> str:
    return next(element.text for element in named(html, "details") if element.text.startswith(TITLE))


def test_the_table_is_folded_and_holds_intervals_and_its_class() -> None:
    text = folded(page())
    for written in ("0.123", "0.100–0.150", "2.1", "0.0–4.3", "0.875", "1.4", "precision at 10 %"):
        assert written in text
    assert text.startswith(f"{TITLE}; precision is of “spam & <more>”")


def test_a_long_name_of_a_class_is_cut() -> None:
    for name in ("a class that goes on and on " * 20, "x" * 500):
        assert f"precision is of “{name[:39]}…”" in folded(page(positive=name))


def test_where_no_temperature_was_fitted_none_is_written() -> None:
    html = page(held_out=0, temperature=1.0)
    assert "no temperature was fitted" in html
    assert "1.0" not in folded(html)


def test_several_classes_have_no_precision_at_a_workload() -> None:
    assert "precision at" not in folded(page(positive=None, precision_10=None, precision_20=None))


@pytest.mark.parametrize("missing", ["auroc", "average_precision"])
def test_what_is_not_defined_says_so(missing: str) -> None:
    assert "not defined for these test texts" in page(**{missing: None})


def test_a_record_without_probabilities_has_no_such_table() -> None:
    assert TITLE not in render(example())
