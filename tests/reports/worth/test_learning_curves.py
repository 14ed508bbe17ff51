"""Learning curves, and who leads them."""

from __future__ import annotations

import dataclasses
import re

import pytest
from example_record import Shape, example
from worth_pages import drawn

from wordworth.records import Record, Table
from wordworth.reports import render


@pytest.fixture(scope="module")
def page() -> str:
    return drawn("two classes")


def test_the_curves_title_names_who_leads() -> None:
    record = example(Shape(fallen=False))
    rows = [
        dict(row, extrapolated=False) for row in record.tables["curve"].rows() if row["rung"] in {"tfidf", "minilm"}
    ]
    for row in rows:
        row["score"] = 0.9 if (row["rung"] == "minilm") == (row["labels"] < 600) else 0.6
    html = render(_with_curve(record, rows))
    assert "MiniLM (frozen) leads up to 487 labels, then TF-IDF + linear" in html


def test_an_unbroken_lead_is_said_so() -> None:
    record = example(Shape(fallen=False))
    rows = [
        dict(row, extrapolated=False) for row in record.tables["curve"].rows() if row["rung"] in {"tfidf", "minilm"}
    ]
    for row in rows:
        row["score"] = 0.9 if row["rung"] == "tfidf" else 0.6
    assert "TF-IDF + linear leads at every number of labels" in render(_with_curve(record, rows))


def _with_curve(record: Record, rows: list[dict[str, object]]) -> Record:
    table = Table.of(rows, dict.fromkeys(rows[0], ""))
    return dataclasses.replace(record, tables={**record.tables, "curve": table})


def test_only_the_two_rungs_that_the_answer_is_about_have_bands(page: str) -> None:
    bands = re.findall(r'class="band series-\d', page)
    assert len(bands) == 2 * 2  # on a wide page and on a phone
    assert "those of the others are in the numbers and under the pointer" in page
