"""What labels are worth: how many more a cheap rung needs, and its curve beyond the labels there are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wordworth.measures.label_multiples import Multiples, Summary, needed, saved, summary
from wordworth.measures.learning_curves import Extension, extend, hold
from wordworth.measures.weighted_sums import Integers
from wordworth.records import Table
from wordworth.studies.worth.scores import Draws, Scores

MULTIPLES = {
    "rung": "the cheap rung",
    "against": "the contextual rung it is to reach",
    "labels": "labels the contextual rung learned from (needed) or the cheap rung did (saved)",
    "multiple": "times the labels: the median of the bootstrap; a bound where the state says so",
    "low": "lower end of the 95 % interval; 0 where only an upper bound is known",
    "high": "upper end of the 95 % interval; inf where it was not reached",
    "state": "exact, at most, more than, never (in 39 of 40 draws the cheap rung's fitted curve flattens out below) or "
    "undefined",
    "censored": "share of bootstrap draws in which only a bound is known",
    "direction": "needed: cheap labels over contextual ones; saved, as in the paper: all labels over contextual ones",
}
LEAST_SIZES = 4
FURTHER = (2, 4)
_NEXT_TO_NOTHING = 0.1
"""A multiple that may be under this and may never be reached is not known."""
_ERRORS = 2
"""So many errors of its family above the end of a fitted curve lies what it never reaches."""


def curve_draws(scores: Scores, rung: str) -> tuple[np.ndarray, Draws]:
    """A rung's learning curve under resampling: int64 [sizes], float64 [draws, sizes]."""
    sizes = scores.sizes(rung)
    return np.array(sizes), np.stack([scores.score_draws(rung, labels) for labels in sizes], axis=1)


def multiples_table(
    scores: Scores,
    cheap: Sequence[str],
    contextual: Sequence[str],
    extensions: Mapping[str, Extension | None] | None = None,
) -> Table:
    """Every cheap rung against every contextual one, at each size of the contextual one and in both directions.

    The fits of `extensions` tell what a cheap rung never reaches; without one, all beyond its last size is `more than`.
    """
    rows: list[dict[str, Any]] = []
    for rung in cheap:
        labels, curve = curve_draws(scores, rung)
        for against in contextual:
            for at in scores.sizes(against):
                found = _needed(labels, curve, (at, scores.score_draws(against, at)), (extensions or {}).get(rung))
                rows.append(_row(rung, against, at, found, "needed"))
            sizes, other = curve_draws(scores, against)
            if len(sizes) > 1:
                rows.append(
                    _row(rung, against, int(labels[-1]), saved(sizes, other, int(labels[-1]), curve[:, -1]), "saved")
                )
    return Table.of(rows, MULTIPLES)


def _needed(labels: Integers, curve: Draws, target: tuple[int, Draws], fitted: Extension | None) -> Multiples:
    """The multiples, `never` only where the fits of nearly all draws end below the target: of some it says too little.

    In half of the draws a fit bends too early by chance, even where the curve does reach the target in the end.
    """
    if fitted is not None:
        found = needed(labels, curve, *target, fitted.ceilings + _ERRORS * fitted.selection.error)
        if math.isinf(summary(found).low):
            return found
    return needed(labels, curve, *target)


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

    At the top size a cheap rung that is behind can only be "more than 1" or "never"; the largest size with an exact
    answer that is bounded tells more, and failing that "never" does, then the smallest size with a bound.
    """
    rows = [row for row in table.rows() if (row["rung"], row["against"], row["direction"]) == (rung, against, "needed")]
    exact = [row for row in rows[::-1] if row["state"] == "exact" and not best_row(row)]
    beyond = [row for state in ("never", "more than") for row in rows if row["state"] == state]
    return next(iter([*exact, *beyond, *rows[::-1]]), {})


def best_row(row: Mapping[str, Any]) -> bool:
    """Whether a multiple's interval bounds it on neither side."""
    return bool(row["low"] < _NEXT_TO_NOTHING and not math.isfinite(row["high"]))


def more_labels(scores: Scores, rung: str, *, least: float = 0.0, learns: bool = True) -> Extension | None:
    """A rung's curve at two and four times the labels; None where there are too few sizes to fit one.

    Args:
        scores: every rung's scores.
        rung: whose curve.
        least: the worst score that the metric has.
        learns: False for a constant, which is held at its last score.
    """
    labels, draws = curve_draws(scores, rung)
    if len(labels) < LEAST_SIZES:
        return None
    further = [int(labels[-1]) * times for times in FURTHER]
    return extend(labels, draws, further, least) if learns else hold(draws[:, -1], further)


def extension_rows(scores: Scores, rung: str, extension: Extension) -> list[dict[str, Any]]:
    """Rows for the curve table, marked as extrapolated."""
    points = zip(extension.labels, extension.median, extension.intervals, strict=True)
    seeds = scores.seeds_of(rung, scores.sizes(rung)[-1])
    return [
        {"rung": rung, "labels": int(at), "score": float(middle), "low": span.low, "high": span.high}
        | {"seeds": seeds, "extrapolated": True}
        for at, middle, span in points
    ]
