"""The value of labels: how many more a cheap rung needs, and its learning curve beyond the labels there are.

A label multiple is how many times the labels a cheap rung needs to score what a contextual rung scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from wordworth.measures.label_multiples import Multiples, Summary, summary, times_fewer_labels, times_more_labels
from wordworth.measures.learning_curves import Extension, ceilings, extend, hold
from wordworth.measures.weighted_sums import Integers
from wordworth.records import Table
from wordworth.studies.worth.run_scores import Draws
from wordworth.studies.worth.scores import Scores

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
FURTHER = (2,)
"""Multiples of the labels at which a curve is predicted. Four times is not: see `benchmarks/extrapolation.py`."""
_NEXT_TO_NOTHING = 0.1
"""A multiple whose interval reaches from below this to infinity is unknown."""


def curve_draws(scores: Scores, rung: str) -> tuple[np.ndarray, Draws]:
    """Return a rung's learning curve under resampling: its sizes, int64 [sizes], and scores, float64 [draws, sizes]."""
    sizes = scores.sizes(rung)
    return np.array(sizes), np.stack([scores.score_draws(rung, labels) for labels in sizes], axis=1)


def multiples_table(
    scores: Scores,
    cheap: Sequence[str],
    contextual: Sequence[str],
    extensions: Mapping[str, Extension | None] | None = None,
) -> Table:
    """Return the label multiples of every cheap rung against every contextual one, at each size, in both directions.

    Args:
        scores: every rung's scores.
        cheap: names of the cheap rungs.
        contextual: names of the contextual rungs.
        extensions: the rungs with a curve to extend, of which may be said what they never reach; of the others,
            whatever lies beyond the last size is `more than`.
    """
    rows: list[dict[str, Any]] = []
    for rung in cheap:
        labels, curve = curve_draws(scores, rung)
        limits = ceilings(labels, curve) if (extensions or {}).get(rung) else None
        for against in contextual:
            for at in scores.sizes(against):
                multiples = _needed(labels, curve, (at, scores.score_draws(against, at)), limits)
                rows.append(_row(rung, against, at, multiples, "needed"))
            sizes, other = curve_draws(scores, against)
            if len(sizes) > 1:
                whole = int(labels[-1])
                multiples = times_fewer_labels(sizes, other, whole, curve[:, -1])
                rows.append(_row(rung, against, whole, multiples, "saved"))
    return Table.of(rows, MULTIPLES)


def _needed(labels: Integers, curve: Draws, target: tuple[int, Draws], limits: Draws | None) -> Multiples:
    """The multiples needed; `never` only where nearly all draws' fitted curves end below the target.

    In half of the draws a fit flattens out too early by chance, even where the curve does reach the target in the end.
    """
    if limits is not None:
        multiples = times_more_labels(labels, curve, *target, limits)
        if math.isinf(summary(multiples).low):
            return multiples
    return times_more_labels(labels, curve, *target)


def _row(rung: str, against: str, labels: int, multiples: Multiples, direction: str) -> dict[str, Any]:
    summarised: Summary = summary(multiples)
    row = {"rung": rung, "against": against, "labels": labels, "direction": direction}
    row |= {"multiple": summarised.median.value, "low": summarised.low, "high": summarised.high}
    return row | {"state": summarised.median.state, "censored": summarised.censored}


def best_multiple(table: Table, rung: str, against: str) -> dict[str, Any]:
    """Return the row of `table` that says most about `rung` against `against`; {} where there is none.

    At the top size a cheap rung that is behind can only be "more than 1" or "never". The row of the largest contextual
    size with an exact, bounded answer says more; failing that a row "never", then the smallest size "more than".
    """
    rows = [row for row in table.rows() if (row["rung"], row["against"], row["direction"]) == (rung, against, "needed")]
    exact = [row for row in rows[::-1] if row["state"] == "exact" and not is_unbounded(row)]
    beyond = [row for state in ("never", "more than") for row in rows if row["state"] == state]
    return next(iter([*exact, *beyond, *rows[::-1]]), {})


def is_unbounded(row: Mapping[str, Any]) -> bool:
    """Return whether the interval of a row of `multiples_table` bounds the multiple on neither side."""
    return bool(row["low"] < _NEXT_TO_NOTHING and not math.isfinite(row["high"]))


def extend_curve(scores: Scores, rung: str, *, least: float = 0.0, learns: bool = True) -> Extension | None:
    """Return a rung's predicted curve at twice the labels; None where too few sizes were measured.

    Args:
        scores: every rung's scores.
        rung: the rung's name.
        least: the worst score of the metric.
        learns: False for a constant rung, whose last score is carried on.
    """
    labels, draws = curve_draws(scores, rung)
    if len(labels) < LEAST_SIZES:
        return None
    further = [int(labels[-1]) * times for times in FURTHER]
    return extend(labels, draws, further, least) if learns else hold(draws[:, -1], further)


def without_overtakings(
    scores: Scores, extensions: Mapping[str, Extension | None], margin: float
) -> dict[str, Extension | None]:
    """Return the predicted curves; one that would pass a rung that is ahead by more than `margin` is not to be drawn.

    Such overtakings were predicted on real data sets and mostly did not come (`benchmarks/extrapolation.py`): of many
    curves, those that happen to end in a steep piece are predicted to overtake.

    Args:
        scores: every rung's scores.
        extensions: rung -> its predicted curve.
        margin: how far behind a rung counts as level, on the metric's scale.
    """
    curves = {rung: extension for rung, extension in extensions.items() if extension is not None}
    last = {rung: scores.mean(rung, scores.sizes(rung)[-1]) for rung in curves}
    overtaking = {
        rung
        for rung, extension in curves.items()
        for other, leading in curves.items()
        if last[rung] < last[other] - margin and (extension.median > leading.median).any()
    }
    return {
        rung: replace(extension, drawn=False) if extension and rung in overtaking else extension
        for rung, extension in extensions.items()
    }


def extension_rows(scores: Scores, rung: str, extension: Extension) -> list[dict[str, Any]]:
    """Return rows of the curve table for a rung's predicted curve, marked as extrapolated; none if it is not drawn."""
    if not extension.drawn:
        return []
    points = zip(extension.labels, extension.median, extension.intervals, strict=True)
    runs = scores.seeds_of(rung, scores.sizes(rung)[-1])
    shared = {"rung": rung, "seeds": runs, "extrapolated": True}
    return [
        {**shared, "labels": int(at), "score": float(median), **interval.columns()} for at, median, interval in points
    ]


def scores_at_double(scores: Scores, extensions: Mapping[str, Extension | None]) -> Scores:
    """Return the predicted scores at twice the labels of every rung that has a curve, in the form that the rule takes.

    The runs on all labels are shifted, in each resample by the gain of the curve fitted to it, so that differences stay
    paired and the differences between runs remain. The error of the curve's family at the held-out size, one doubling
    away as here, is an extra source of chance for each rung.
    """
    table = {}
    for rung, extension in extensions.items():
        if extension is not None:
            labels = scores.sizes(rung)[-1]
            now, gain = scores.table[rung, labels], _gain_draws(scores, rung, extension)
            rng = scores.bootstrap.for_rung("family error", rung)
            noise = rng.normal(0, extension.selection.error, scores.bootstrap.draws)
            table[rung, int(extension.labels[0])] = now.plus(float(np.median(gain)), gain + noise)
    return replace(scores, table=table, runs_from=scores)


def _gain_draws(scores: Scores, rung: str, extension: Extension) -> Draws:
    """float64 [draws]: the gain of the fitted curve over the score at all labels, in each resample."""
    gains: Draws = extension.scores[:, 0] - scores.score_draws(rung, scores.sizes(rung)[-1])
    return gains


def predicted_gain(scores: Scores, rung: str, extension: Extension) -> dict[str, Any]:
    """Return a rung's predicted gain by twice the labels, its 95 % interval, and the held-out error of each family."""
    now, interval = scores.mean(rung, scores.sizes(rung)[-1]), extension.intervals[0]
    gain = float(np.median(_gain_draws(scores, rung, extension)))
    errors = {name: error for name, error in extension.selection.errors.items() if math.isfinite(error)}
    numbers = {"labels": int(extension.labels[0]), "gain": gain, "low": interval.low - now, "high": interval.high - now}
    return {**numbers, "extrapolated": True, "family": extension.selection.family.name, "errors": errors}
