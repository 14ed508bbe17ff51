"""Break-even of two rungs of one score: what the labels cost more, over what a text costs less."""

from __future__ import annotations

import math

import pytest
from tests.studies.fake_ladder import FakeRung, constant
from tests.studies.worth.made_up import (
    TFIDF,
    Unlucky,
    at_top,
    study,
)

from wordworth.measures.serving_costs import per_text
from wordworth.records import Table
from wordworth.reports import render
from wordworth.studies.worth.running_costs import break_even_texts
from wordworth.studies.worth.settings import WorthSettings

PRICES = WorthSettings(hourly_price=0.05, label_price=0.036)
NEEDED = {"rung": "cheap", "against": "slow", "labels": 3_000, "multiple": 2.0, "low": 1.0, "high": math.inf,
          "state": "exact"}  # fmt: skip


def costs(cheap=5_166, slow=62, fits=(0.0, 0.0)):
    rows = [
        {"rung": name, "fit_seconds": fit, "price_per_million": 1e6 * per_text(PRICES.hourly_price, rate)}
        for name, rate, fit in zip(("cheap", "slow"), (cheap, slow), fits, strict=True)
    ]
    return Table.of(rows, dict.fromkeys(rows[0], ""))


def test_the_worked_example_breaks_even_where_it_should():
    found = break_even_texts(NEEDED, costs(), 6_000, PRICES)
    assert found["once_more"] == pytest.approx(108)
    assert found["texts"] == pytest.approx(4.8797e8, rel=1e-4)
    assert (found["low"], found["high"]) == (0, math.inf)


def test_equal_speeds_never_break_even():
    assert break_even_texts(NEEDED, costs(cheap=62), 6_000, PRICES)["texts"] == math.inf


def test_training_counts_in_proportion_to_the_labels():
    """6,000 labels of the cheap rung are a whole fit of its own, 3,000 of the other half a fit of that."""
    found = break_even_texts(NEEDED, costs(fits=(3_600.0, 72_000.0)), 6_000, PRICES)
    assert found["once_more"] == pytest.approx(108 + 0.05 - 0.5)


def test_labels_that_are_never_enough_never_pay_off_whatever_they_cost():
    never = {**NEEDED, "state": "never", "multiple": math.inf, "low": math.inf}
    for prices in (PRICES, WorthSettings(hourly_price=0.05, label_price=0.0)):
        found = break_even_texts(never, costs(), 6_000, prices)
        assert (found["texts"], found["low"], found["high"]) == (math.inf,) * 3


@pytest.mark.parametrize("multiple", [{}, {**NEEDED, "rung": "untimed"}, {**NEEDED, "state": "undefined"}])
def test_what_was_not_timed_or_not_compared_has_no_break_even(multiple):
    assert break_even_texts(multiple, costs(), 6_000, PRICES) == {}


def test_costs_are_measured_on_the_first_run_that_did_not_fail():
    record = study(TFIDF, Unlucky("minilm", "frozen", constant(0.99), when=at_top(0)))
    assert record.finding("verdict").numbers["rung"] == "minilm"
    assert "minilm" in record.timings["costs"].columns["rung"]
    assert {row[-1] for row in record.timings["decision"]["rung"]} == {"minilm"}


def test_a_rung_without_any_run_on_all_labels_is_not_timed():
    record = study(TFIDF, Unlucky("minilm", "frozen", constant(0.99), when=at_top(0, 1, 2)))
    assert "minilm" not in record.timings["costs"].columns["rung"]


@pytest.mark.slow
def test_break_even_stands_beside_the_costs_in_record_and_page():
    record = study(
        FakeRung("tfidf", "counts", lambda n: 1 - 1.6 * n**-0.3),
        FakeRung("minilm", "frozen", lambda n: 1 - 0.9 * n**-0.3),
        rows=8_000,
    )
    found = record.timings["break_even"]
    assert (found["rung"], found["against"], found["state"]) == ("tfidf", "minilm", "exact")
    assert "To reach what Minilm scores with" in render(record)
