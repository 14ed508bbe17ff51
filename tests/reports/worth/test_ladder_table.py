"""The table of rungs."""

from __future__ import annotations

import dataclasses
import math

import pytest
from elements import elements, named
from example_record import example
from worth_pages import drawn

from wordworth.records import Table
from wordworth.reports import render


@pytest.fixture(scope="module")
def page() -> str:
    return drawn("two classes")


def test_a_failed_and_a_dropped_rung_show_their_reasons_and_no_zero(page: str) -> None:
    rows = [element for element in named(page, "tr") if element.text.startswith("fastText wiki")]
    assert "the file ends before its last vector" in rows[0].text
    assert "failed" in rows[0].text
    assert "0" not in rows[0].text
    assert "MiniLM, last four layers, was dropped at 487 labels." in page


def test_on_a_phone_a_wide_table_names_what_lies_to_its_right(page: str) -> None:
    ladder = next(element for element in elements(page) if "data-further" in element.attributes)
    assert "texts a second, longest wait (ms), $ a million texts, size on disk" in ladder.attributes["data-further"]
    assert "attr(data-further)" in page


def test_a_multiple_without_an_upper_end_says_so() -> None:
    record = example()
    columns = {**record.tables["ladder"].columns}
    columns["multiple_high"] = [math.inf if high else high for high in columns["multiple_high"]]
    html = render(dataclasses.replace(record, tables={**record.tables, "ladder": Table(columns, {})}))
    assert "1.4 or more" in html


@pytest.mark.parametrize(("long", "words"), [(7, "7 texts are longer than"), (1, "1 text is longer than")])
def test_of_texts_past_the_window_it_is_said_which_encoder_reads_them_whole(long: int, words: str) -> None:
    record = example()
    html = render(dataclasses.replace(record, data={**record.data, "windowed": long}))
    assert (
        f"{words} the encoder&#39;s window: a frozen encoder reads such a text whole, in overlapping windows." in html
    )
    assert "nothing was cut" not in html


def test_a_multiple_that_is_never_reached_has_no_interval() -> None:
    record = example()
    rows = [dict(row, state="never", multiple=math.inf, low=math.inf, high=math.inf)
            for row in record.tables["multiples"].rows()]  # fmt: skip
    table = Table.of(rows, dict.fromkeys(rows[0], ""))
    html = render(dataclasses.replace(record, tables={**record.tables, "multiples": table}))
    assert "∞" not in html
    assert "surely flattens out below" in html


@pytest.mark.parametrize("corrected", [True, False])
def test_the_gap_of_a_definite_verdict_differs_from_the_table_and_the_note_says_why(*, corrected: bool) -> None:
    record = example()
    findings = [
        dataclasses.replace(finding, numbers={**finding.numbers, "corrected": 0.02 if corrected else None})
        if finding.name == "verdict"
        else finding
        for finding in record.findings
    ]
    html = render(dataclasses.replace(record, findings=findings))
    assert ("they are corrected for selection" in html) == corrected
