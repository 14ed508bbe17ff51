"""What more labels are predicted to bring the chosen rung, what they would cost, and which rungs would pass it."""

from __future__ import annotations

import math

from wordworth.reports.number_format import count, finite, money
from wordworth.reports.record_view import Row
from wordworth.reports.worth.view import Study
from wordworth.text_format import inline_title, join_words

_CONTROL = "last1"
"""What records call the family of curves that carries the last score on."""


def more_labels(study: Study) -> tuple[str, ...]:
    """What the nearest prediction promises for the chosen rung, what its labels would cost, and who would pass it."""
    if study.chosen is None:
        return ()
    known, ahead = _parted(study, study.chosen)
    if not known or not ahead:
        return ()
    last, next_ = known[-1], ahead[0]
    extra = _labels(next_) - _labels(last)
    price = finite(study.settings.get("label_price"))
    cost = f" (about {money(extra * price, study.currency)} at {study.currency}{price:g} a label)" if price else ""
    further = _carried_on(study) + _passed(study, last, ahead)
    return (
        (
            f"Predicted, not measured: with {count(_labels(next_))} labels, {count(extra)} more{cost}, "
            f"{inline_title(study.title(study.chosen))} would go from {study.unit.score(finite(last['score']))} to "
            f"{study.told(next_['score'], next_['low'], next_['high'])}.{further}"
        ),
    )


def _parted(study: Study, rung: str) -> tuple[list[Row], list[Row]]:
    """A rung's points that were measured and those that are predicted, each by number of labels."""
    rows = [row for row in study.rows("curve") if row["rung"] == rung and finite(row["score"]) is not None]
    rows.sort(key=_labels)
    return [row for row in rows if not row["extrapolated"]], [row for row in rows if row["extrapolated"]]


def _carried_on(study: Study) -> str:
    """Why a rung whose curve climbs is predicted to stand still, where it is."""
    found: list[Row] = [row["numbers"] for row in study.findings("condition") if row["name"] == "condition.more_labels"]
    if not found or found[0].get("family") != _CONTROL:
        return ""
    return " That is its last score carried on: no fitted curve foretold it better than the score before it did."


def _passed(study: Study, last: Row, ahead: list[Row]) -> str:
    """The rungs that score less today and are predicted to score more than the chosen one, each where it first does."""
    behind = {rung: later for rung in study.scored() if (later := _later(study, rung, last)) is not None}
    told, passed = [], set[str]()
    for mine in ahead:
        now = [rung for rung, later in behind.items() if rung not in passed and _above(study, later, mine)]
        names = [
            f"{inline_title(study.title(rung))} ({study.unit.score(behind[rung][mine['labels']])})" for rung in now
        ]
        passed.update(now)
        if names:
            told.append(f"with {count(_labels(mine))} labels by {join_words(names)}")
    return f" It is predicted to be passed {', and '.join(told)}." if told else ""


def _later(study: Study, rung: str, last: Row) -> dict[int, float] | None:
    """The scores predicted of a rung by number of labels; None where it does not score less than `last` today."""
    measured, predicted = _parted(study, rung)
    if not measured or measured[-1]["score"] >= last["score"]:
        return None
    return {_labels(row): float(row["score"]) for row in predicted}


def _above(study: Study, later: dict[int, float], mine: Row) -> bool:
    """Whether a prediction is above the chosen rung's by what is printed of both."""
    score = later.get(_labels(mine), -math.inf)
    return score > mine["score"] and study.unit.score(score) != study.unit.score(mine["score"])


def _labels(row: Row) -> int:
    return int(row["labels"])
