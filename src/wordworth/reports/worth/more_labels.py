"""What more labels are predicted to bring the chosen rung, what they would cost, and which rungs would overtake it."""

from __future__ import annotations

import math

from wordworth.reports.number_format import count, finite, money
from wordworth.reports.record_view import Row
from wordworth.reports.worth.view import Study
from wordworth.text_format import inline_title, join_words

_CONTROL = "last1"
"""The name in records of the family of curves that repeats the last score."""


def more_labels(study: Study) -> tuple[str, ...]:
    """The nearest prediction for the chosen rung, what its labels would cost, and who would overtake it."""
    if study.chosen is None:
        return ()
    measured, predicted = _measured_and_predicted(study, study.chosen)
    if not measured or not predicted:
        return ()
    last, nearest = measured[-1], predicted[0]
    extra = _labels(nearest) - _labels(last)
    price = finite(study.settings.get("label_price"))
    cost = f" (about {money(extra * price, study.currency)} at {study.currency}{price:g} a label)" if price else ""
    further = _flat_prediction(study) + _overtaken(study, last, predicted)
    return (
        (
            f"Predicted, not measured: with {count(_labels(nearest))} labels, {count(extra)} more{cost}, "
            f"{inline_title(study.title(study.chosen))} would go from {study.unit.score(finite(last['score']))} to "
            f"{study.told(nearest['score'], nearest['low'], nearest['high'])}.{further}"
        ),
    )


def _measured_and_predicted(study: Study, rung: str) -> tuple[list[Row], list[Row]]:
    """A rung's measured points and its predicted ones, each by number of labels."""
    rows = [row for row in study.rows("curve") if row["rung"] == rung and finite(row["score"]) is not None]
    rows.sort(key=_labels)
    return [row for row in rows if not row["extrapolated"]], [row for row in rows if row["extrapolated"]]


def _flat_prediction(study: Study) -> str:
    """Why a rung whose curve climbs is predicted to stay flat, if it is."""
    numbers: list[Row] = [
        row["numbers"] for row in study.findings("condition") if row["name"] == "condition.more_labels"
    ]
    if not numbers or numbers[0].get("family") != _CONTROL:
        return ""
    return " That is its last score carried on: no fitted curve predicted it better than the score before it did."


def _overtaken(study: Study, last: Row, predicted: list[Row]) -> str:
    """The rungs that score less today and are predicted to overtake the chosen one, each where it first does."""
    behind = {rung: later for rung in study.scored() if (later := _predicted_scores(study, rung, last)) is not None}
    clauses, passed = [], set[str]()
    for point in predicted:
        now = [rung for rung, later in behind.items() if rung not in passed and _above(study, later, point)]
        names = [
            f"{inline_title(study.title(rung))} ({study.unit.score(behind[rung][point['labels']])})" for rung in now
        ]
        passed.update(now)
        if names:
            clauses.append(f"with {count(_labels(point))} labels by {join_words(names)}")
    return f" It is predicted to be passed {', and '.join(clauses)}." if clauses else ""


def _predicted_scores(study: Study, rung: str, last: Row) -> dict[int, float] | None:
    """The predicted scores of a rung by number of labels; None unless it scores less than `last` today."""
    measured, predicted = _measured_and_predicted(study, rung)
    if not measured or measured[-1]["score"] >= last["score"]:
        return None
    return {_labels(row): float(row["score"]) for row in predicted}


def _above(study: Study, later: dict[int, float], point: Row) -> bool:
    """Whether a prediction is above that of the chosen rung, as far as both are printed."""
    score = later.get(_labels(point), -math.inf)
    return score > point["score"] and study.unit.score(score) != study.unit.score(point["score"])


def _labels(row: Row) -> int:
    return int(row["labels"])
