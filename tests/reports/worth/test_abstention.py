"""The folded table of the scores on the surest texts."""

from __future__ import annotations

import dataclasses

from elements import named
from example_record import example

from wordworth.records import Table
from wordworth.reports import render
from wordworth.studies.worth.abstention import ABSTENTION

END = "where a rung answers only the share of texts that it is surest of"


def page(score: float | None) -> str:
    record = example()
    rows = [
        {"rung": "tfidf", "share": share, "score": value, "low": 0.7, "high": 0.95}
        for share, value in ((1.0, 0.784), (0.5, score))
    ]
    tables = {**record.tables, "abstention": Table.of(rows, ABSTENTION)}
    return render(dataclasses.replace(record, tables=tables))


def folded(html: str) -> str:
    return next(element.text for element in named(html, "details") if END in element.text)


def test_each_share_is_a_column_with_its_interval() -> None:
    text = folded(page(0.901))
    for written in ("100 %", "50 %", "78.4", "90.1", "70.0–95.0"):
        assert written in text


def test_a_score_that_is_not_defined_is_written_as_such() -> None:
    html = page(None)
    assert "not measured" in html
    assert "90.1" not in folded(html)


def test_a_record_without_the_table_has_no_such_fold() -> None:
    assert END not in render(example())
