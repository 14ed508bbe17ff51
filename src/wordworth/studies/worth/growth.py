"""What labels are worth: how many more a cheap rung needs, and what labelling more would bring."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from wordworth.measures.learning_curves import Extension, extend
from wordworth.measures.multiples import Multiples, Summary, needed, saved, summary
from wordworth.records import Finding, Table
from wordworth.studies.worth.scores import Draws, Scores
from wordworth.wording import signed

MULTIPLES = {
    "rung": "the cheap rung",
    "against": "the contextual rung it is to reach",
    "labels": "labels the contextual rung learned from (needed) or the cheap rung did (saved)",
    "multiple": "times the labels: the median of the bootstrap; a bound where the state says so",
    "low": "lower end of the 95 % interval; 0 where only an upper bound is known",
    "high": "upper end of the 95 % interval; inf where it was not reached",
    "state": "exact, at most, more than, never or undefined",
    "censored": "share of bootstrap draws in which only a bound is known",
    "direction": "needed: cheap labels over contextual ones; saved, as in the paper: all labels over contextual ones",
}
LEAST_SIZES = 4
FURTHER = (2, 4)


def curve_draws(scores: Scores, rung: str) -> tuple[np.ndarray, Draws]:
    """A rung's learning curve under resampling: int64 [sizes], float64 [draws, sizes]."""
    sizes = scores.sizes(rung)
    return np.array(sizes), np.stack([scores.score_draws(rung, labels) for labels in sizes], axis=1)


def multiples_table(scores: Scores, cheap: Sequence[str], contextual: Sequence[str]) -> Table:
    """Every cheap rung against every contextual one, at each size of the contextual one and in both directions."""
    rows: list[dict[str, Any]] = []
    for rung in cheap:
        labels, curve = curve_draws(scores, rung)
        for against in contextual:
            for at in scores.sizes(against):
                found = needed(labels, curve, at, scores.score_draws(against, at))
                rows.append(_row(rung, against, at, found, "needed"))
            sizes, other = curve_draws(scores, against)
            if len(sizes) > 1:
                rows.append(
                    _row(rung, against, int(labels[-1]), saved(sizes, other, int(labels[-1]), curve[:, -1]), "saved")
                )
    return Table.of(rows, MULTIPLES)


def _row(rung: str, against: str, labels: int, found: Multiples, direction: str) -> dict[str, Any]:
    told: Summary = summary(found)
    numbers = {"multiple": told.median.value, "low": told.low, "high": told.high, "censored": told.censored}
    return {
        "rung": rung,
        "against": against,
        "labels": labels,
        "state": told.median.state,
        "direction": direction,
        **numbers,
    }


def telling(table: Table, rung: str, against: str) -> dict[str, Any]:
    """The multiple that says most about two rungs: the largest contextual size at which the cheap rung's curve crosses.

    At the top size a cheap rung that is behind can only be "more than 1"; the largest size with an exact answer tells
    more, and failing that the smallest size with a bound does.
    """
    rows = [row for row in table.rows() if (row["rung"], row["against"], row["direction"]) == (rung, against, "needed")]
    exact = [row for row in rows if row["state"] == "exact"]
    if exact:
        return exact[-1]
    return next((row for row in rows if row["state"] == "more than"), rows[-1] if rows else {})


def more_labels(scores: Scores, rung: str) -> Extension | None:
    """A rung's curve at two and four times the labels; None where there are too few sizes to fit one."""
    labels, draws = curve_draws(scores, rung)
    if len(labels) < LEAST_SIZES:
        return None
    return extend(labels, draws, [int(labels[-1]) * times for times in FURTHER])


def extension_rows(scores: Scores, rung: str, extension: Extension) -> list[dict[str, Any]]:
    """Rows for the curve table, marked as extrapolated."""
    points = zip(extension.labels, extension.median, extension.intervals, strict=True)
    seeds = scores.seeds_of(rung, scores.sizes(rung)[-1])
    return [
        {"rung": rung, "labels": int(at), "score": float(middle), "low": span.low, "high": span.high}
        | {"seeds": seeds, "extrapolated": True}
        for at, middle, span in points
    ]


def more_labels_finding(scores: Scores, rung: str, title: str, extension: Extension | None) -> Finding:
    """What twice the labels would bring the rung that the verdict names."""
    labels = scores.sizes(rung)[-1]
    if extension is None:
        text = "There are too few sizes to say what more labels would bring."
        return Finding("condition.more_labels", text, {"changes": False})
    gain = extension.scores[:, 0] - scores.score_draws(rung, labels)
    middle, span = float(np.median(gain)), extension.intervals[0]
    now = scores.mean(rung, labels)
    text = (
        f"With twice the labels ({2 * labels:,}), {title} would gain about {signed(middle)} points "
        f"(95 %: {signed(span.low - now)} to {signed(span.high - now)}); this is read off a "
        "curve fitted to the smaller sizes, not measured."
    )
    numbers = {"labels": 2 * labels, "gain": middle, "low": span.low - now, "high": span.high - now}
    errors = {name: error for name, error in extension.selection.errors.items() if math.isfinite(error)}
    return Finding(
        "condition.more_labels",
        text,
        numbers | {"family": extension.selection.family.name, "errors": errors, "changes": False},
    )
