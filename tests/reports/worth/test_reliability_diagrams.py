"""The folded reliability diagrams."""

from __future__ import annotations

import dataclasses

from elements import named
from example_record import example

from wordworth.records import Record, Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.studies.worth.reliability_diagrams import RELIABILITY

SUMMARY = "Reliability diagrams: how often a rung is right where it is so sure"


def row(rung: str, confidence: float, right: float, *, scaled: bool) -> dict[str, object]:
    ends = {"right_low": right - 0.05, "right_high": right + 0.05}
    return dict.fromkeys(RELIABILITY, 0) | {
        "rung": rung,
        "with_temperature": scaled,
        "confidence": confidence,
        "right": right,
        "texts": 100,
        **ends,
    }


TUNED = [
    row("tfidf", 0.8, 0.7, scaled=False),
    row("tfidf", 0.95, 0.92, scaled=False),
    row("tfidf", 0.7, 0.7, scaled=True),
    row("tfidf", 0.9, 0.92, scaled=True),
]
PLAIN = [row("minilm-finetuned", 0.9, 0.8, scaled=False)]


def record(*rows: dict[str, object]) -> Record:
    plain = example()
    return dataclasses.replace(plain, tables={**plain.tables, "reliability": Table.of(list(rows), RELIABILITY)})


def test_each_rung_has_a_diagram_with_its_finding_and_its_numbers() -> None:
    html = render(record(*TUNED, *PLAIN))
    fold = next(element.text for element in named(html, "details") if element.text.startswith(SUMMARY))
    assert "TF-IDF + linear may be as often right as it is sure in 2 of 2 bins; without its temperature in 1" in fold
    assert "MiniLM (fine-tuned) may be as often right as it is sure in 0 of 1 bin" in fold
    for written in ("scores as they are", "divided by the temperature", "80.0 %", "75.0 % to 85.0 %"):
        assert written in fold
    assert html.count('data-chart="reliability-') == 2


def test_two_bins_close_to_certainty_are_told_apart() -> None:
    sure = dict(row("tfidf", 0.9968, 0.98, scaled=False), right_low=0.81, right_high=0.9996)
    surer = dict(row("tfidf", 0.99931, 1.0, scaled=False), right_low=0.93, right_high=1.0)
    (table,) = (found.text for found in named(render(record(sure, surer)), "table") if "how sure" in found.text)
    assert "as they are 1 99.7 % 98.0 % 81.0 % to 99.96 % 100 scores as they are 2 99.93 % 100 % 93.0 % to" in table
    assert "over 99" not in table


def test_the_record_says_what_the_page_says() -> None:
    texts = [finding.text for finding in with_captions(record(*TUNED)).findings if "reliability" in finding.name]
    assert texts == ["TF-IDF + linear may be as often right as it is sure in 2 of 2 bins; without its temperature in 1"]


def test_other_numbers_of_bins_are_said() -> None:
    texts = [finding.text for finding in with_captions(record(*TUNED[:3])).findings if "reliability" in finding.name]
    assert texts == [
        "TF-IDF + linear may be as often right as it is sure in 1 of 1 bin; without its temperature in 1 of 2"
    ]


def test_a_record_without_the_table_has_no_diagram() -> None:
    assert SUMMARY not in render(example())
