"""Break-even of two rungs of one score: what the labels cost more, over what a text costs less."""

from __future__ import annotations

import math

import pytest

from wordworth.measures.serving_costs import per_text
from wordworth.records import Table
from wordworth.studies.worth.costs import break_even_texts
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


def test_the_worked_example_breaks_even_where_it_should():  # W27
    found = break_even_texts(NEEDED, costs(), 6_000, PRICES)
    assert found["once_more"] == pytest.approx(108)
    assert found["texts"] == pytest.approx(4.8797e8, rel=1e-4)
    assert (found["low"], found["high"]) == (0, math.inf)


def test_equal_speeds_never_break_even():  # W27
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
