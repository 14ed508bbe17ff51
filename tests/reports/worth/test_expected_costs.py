"""The folded table of expected costs, and the sentence above it."""

from __future__ import annotations

import dataclasses

from elements import named
from example_record import example

from wordworth.records import Finding, Table
from wordworth.reports import render
from wordworth.studies.worth.expected_costs import EXPECTED_COSTS

TITLE = "What a thousand texts cost by the costs of errors"
SENTENCE = "By these costs, TF-IDF is cheapest: €208 (95 %: €150 to €300) for 1,000 texts."


def row(rung: str, cost: float, difference: float) -> dict[str, object]:
    ends = {"predicted_cost": 2 * cost, "decision_cost": cost, "difference": difference}
    figures = {f"{name}{end}": value + by for name, value in ends.items() for end, by in _ENDS.items()}
    return {"rung": rung, "against": "tfidf", **figures}


_ENDS = {"": 0.0, "_low": -25.0, "_high": 75.0}


def page() -> str:
    record = example()
    rows = [row("majority", 533.0, 325.0), row("tfidf", 208.0, 0.0), row("glove", 212.0, 4.0)]
    return render(
        dataclasses.replace(
            record,
            settings={**record.settings, "currency": "€"},
            tables={**record.tables, "expected_costs": Table.of(rows, EXPECTED_COSTS)},
            findings=[*record.findings, Finding("expected_costs", SENTENCE)],
        )
    )


def folded(html: str) -> str:
    return next(element.text for element in named(html, "details") if TITLE in element.text)


def test_each_rung_has_its_costs_in_the_users_currency_with_intervals() -> None:
    text = folded(page())
    for written in ("€533", "€508 to €608", "€325", "€300 to €400", "€1,066", "cheapest", "€212", "−€21 to €79"):
        assert written in text


def test_the_sentence_stands_in_the_fold_and_nowhere_else() -> None:
    html = page()
    assert SENTENCE in folded(html)
    assert html.count("TF-IDF is cheapest") == 1


def test_a_record_without_costs_has_no_such_fold() -> None:
    assert TITLE not in render(example())
