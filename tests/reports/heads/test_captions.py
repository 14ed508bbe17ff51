"""What the charts of a `heads` record say of its tables."""

from dataclasses import replace
from pathlib import Path

import pytest
from caption_checks import CAPTION_CHECKS, captions
from changed import changed, without_captions

from wordworth.records import Record, read
from wordworth.reports.captions import Caption, with_captions

KEPT = Path(__file__).parents[3] / "docs" / "records"


@pytest.fixture(scope="module")
def record() -> Record:
    return read(KEPT / "heads_mini.json")


def caption(record: Record, chart: str) -> Caption:
    return captions(with_captions(record))[chart]


@pytest.mark.parametrize("check", CAPTION_CHECKS)
@pytest.mark.parametrize("name", ["heads_mini", "heads_mini_by_ablation"])
def test_a_kept_record_holds_the_sentences_of_its_charts(name, check):
    check(with_captions(read(KEPT / f"{name}.json")))


def test_the_curve_says_how_many_heads_go_within_the_margin_or_that_a_tenth_is_too_many(record):
    assert caption(record, "curves").title == "5 of 16 heads go for −2.3 points"
    verdict = record.finding("verdict")
    none = replace(verdict, numbers={**verdict.numbers, "within": 0})
    others = [finding for finding in record.findings if finding is not verdict]
    needed = without_captions(replace(record, findings=[none, *others]))
    assert caption(needed, "curves").title == "Pruning a tenth of the heads costs more than the margin"


def test_the_layer_that_is_missed_most_is_named_where_one_surely_is(record):
    assert "layer 2, by zero, −16.3 points" in caption(record, "layers").title
    unsure = changed(record, "layers", zero_high=0.1, mean_high=0.1, uniform_high=0.1)
    assert caption(unsure, "layers").title == "No layer's heads are surely needed"


def test_heads_beyond_doubt_are_counted(record):
    assert "1 of 16 heads" in caption(record, "heads").title
    assert "16 of 16 heads" in caption(changed(record, "heads", zero_sure=True), "heads").title


def test_what_the_clock_measured_stands_with_the_timings(record):
    captioned = with_captions(record)
    assert list(captioned.timings["captions"]) == ["frontier"]
    assert not any("ms a text" in finding.text for finding in captioned.findings if finding.name != "verdict")
