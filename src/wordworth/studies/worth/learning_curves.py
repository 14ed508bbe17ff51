"""Label multiples, and learning curves extrapolated to twice the labels.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.

A label multiple is how many times as many labels a cheap rung needs to score what a contextual rung scores.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from wordworth.measures.label_multiples import (
    Multiples,
    Summary,
    is_unbounded,
    summary,
    times_fewer_labels,
    times_more_labels,
)
from wordworth.measures.learning_curves import Extension, ceilings, constant_curve, extend
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
"""Multiples of the labels at which a curve is predicted. Predictions at four times the labels proved unreliable: see
`benchmarks/extrapolation.py`."""


def curve_draws(scores: Scores, rung: str) -> tuple[np.ndarray, Draws]:
    """Return the points of a rung's learning curve (score by number of labelled examples) in each bootstrap resample.

    Returns:
        The numbers of labelled examples, int64 [sizes], and the mean score at each of them in each resample, float64
        [resamples, sizes].
    """
    sizes = scores.sizes(rung)
    return np.array(sizes), np.stack([scores.score_draws(rung, labels) for labels in sizes], axis=1)


def multiples_table(
    scores: Scores,
    cheap: Sequence[str],
    contextual: Sequence[str],
    extensions: Mapping[str, Extension | None] | None = None,
) -> Table:
    """Return the table of label multiples of every cheap rung against every contextual rung.

    A row's `direction` says which multiple it has. `needed` is how many times as many labels the cheap rung needs to
    equal the contextual rung's score with `labels` labelled examples. `saved` is the number of all labelled examples,
    divided by the number with which the contextual rung equals the score that the cheap rung reaches with all labelled
    examples.

    Args:
        scores: every rung's scores.
        cheap: names of the cheap rungs.
        contextual: names of the contextual rungs.
        extensions: name of a rung -> its extrapolated curve. With a curve, the state of a multiple may be `never`;
            without one, a score that is not reached with all labelled examples has the state `more than`.
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
    """Return how many times as many labels each draw's curve needs to reach the target score.

    Multiples have the state `never` only if the lower end of the interval over draws is infinite, so that the fitted
    curves of nearly all draws end below the target: by chance, fits may flatten out too early in half of the draws.

    Args:
        labels: int64 [sizes], the numbers of labelled examples at which the cheap rung was measured.
        curve: float64 [draws, sizes], the scores of the cheap rung in each draw.
        target: (a number of labelled examples; the contextual rung's scores with it, float64 [draws]).
        limits: float64 [draws], the scores that the fitted curves of the cheap rung approach; None for no such curves.
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
    """Return the most informative row of a table of label multiples for two rungs; {} if no row compares them.

    A row compares the rungs at one number of labelled examples of the contextual rung. With all labelled examples, a
    cheap rung that is behind can only have the state `more than` or `never`. The first of these rows that exists is
    returned:

    * of the rows with the state `exact` and an interval that is bounded on one side or both, the one with the most
      labels;
    * of the rows with the state `never`, the one with the fewest labels;
    * of the rows with the state `more than`, the one with the fewest labels;
    * the row with the most labels.

    Args:
        table: the table, as `multiples_table` returns it.
        rung: name of the cheap rung.
        against: name of the contextual rung.
    """
    rows = [row for row in table.rows() if (row["rung"], row["against"], row["direction"]) == (rung, against, "needed")]
    exact = [row for row in rows[::-1] if row["state"] == "exact" and not is_unbounded(row["low"], row["high"])]
    beyond = [row for state in ("never", "more than") for row in rows if row["state"] == state]
    return next(iter([*exact, *beyond, *rows[::-1]]), {})


def extend_curve(scores: Scores, rung: str, *, worst_score: float = 0.0, learns: bool = True) -> Extension | None:
    """Extrapolate a rung's learning curve to twice the labelled examples; None if it has too few measured points.

    Args:
        scores: every rung's scores.
        rung: the rung's name.
        worst_score: the worst possible score of the metric.
        learns: False for a constant rung, whose last score is used for twice the labels too.
    """
    labels, draws = curve_draws(scores, rung)
    if len(labels) < LEAST_SIZES:
        return None
    further = [int(labels[-1]) * times for times in FURTHER]
    return extend(labels, draws, further, worst_score) if learns else constant_curve(draws[:, -1], further)


def without_overtakings(
    scores: Scores, extensions: Mapping[str, Extension | None], margin: float
) -> dict[str, Extension | None]:
    """Return the extrapolated curves; a curve that predicts an overtaking has `drawn=False`, so that it is not drawn.

    A curve predicts an overtaking if it crosses the curve of a rung which is now ahead by more than `margin`. On real
    data sets most predicted overtakings did not happen (`benchmarks/extrapolation.py`): among many curves, some end
    steeply by chance, and these predict most overtakings.

    Args:
        scores: every rung's scores.
        extensions: name of a rung -> its extrapolated curve.
        margin: the largest difference at which two rungs are taken as equal, on the metric's scale.
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
    """Return the rows of the table `curve` for a rung's extrapolated curve; no rows if the curve is not to be drawn.

    Args:
        scores: the scores of all rungs.
        rung: name of the rung.
        extension: the extrapolated curve of the rung.
    """
    if not extension.drawn:
        return []
    predicted = predicted_scores(scores, rung, extension)
    points = zip(extension.labels, predicted, extension.intervals, strict=True)
    runs = scores.seeds_of(rung, scores.sizes(rung)[-1])
    shared = {"rung": rung, "seeds": runs, "extrapolated": True}
    return [
        {**shared, "labels": int(at), "score": float(score), **interval.columns()} for at, score, interval in points
    ]


def scores_at_double(scores: Scores, extensions: Mapping[str, Extension | None]) -> Scores:
    """Predict the scores of rungs with twice the labels, so that the decision rule can be applied to them.

    In each resample, a curve was fitted to the rung's scores, and its gain from all labelled examples to twice as many
    is added to the scores of all runs. Differences between rungs thus stay paired. Normal noise is added too, as a
    fitted curve can be wrong. Its standard deviation is the error with which the same family of curves, fitted to fewer
    labels, predicted the score at the largest number of labelled examples.

    Args:
        scores: the scores of all rungs.
        extensions: name of a rung -> its extrapolated curve; a rung with None in place of a curve is left out.
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
    """Return the gain of the fitted curve over the score at all labelled examples in each resample, float64 [draws]."""
    gains: Draws = extension.scores[:, 0] - scores.score_draws(rung, scores.sizes(rung)[-1])
    return gains


def predicted_scores(scores: Scores, rung: str, extension: Extension) -> Draws:
    """Return a rung's predicted scores, float64 [sizes]: its score with all labels plus the median gain over resamples.

    Charts and sentences print no other estimate, so that the score of today and the predicted gain add up to it.

    Args:
        scores: the scores of all rungs.
        rung: name of the rung.
        extension: the extrapolated curve of the rung.
    """
    labels = scores.sizes(rung)[-1]
    gains: Draws = np.median(extension.scores - scores.score_draws(rung, labels)[:, None], axis=0)
    return scores.mean(rung, labels) + gains


def predicted_gain(scores: Scores, rung: str, extension: Extension) -> dict[str, Any]:
    """Return a rung's predicted score with twice the labels, and the gain over today's, with its 95 % interval.

    Gains are on the metric's scale. The result maps names to numbers, and also has the error of each family of curves
    in predicting a score that was held out.

    Args:
        scores: the scores of all rungs.
        rung: name of the rung.
        extension: the extrapolated curve of the rung.
    """
    now, interval = scores.mean(rung, scores.sizes(rung)[-1]), extension.intervals[0]
    score = float(predicted_scores(scores, rung, extension)[0])
    errors = {name: error for name, error in extension.selection.errors.items() if math.isfinite(error)}
    numbers = {"labels": int(extension.labels[0]), "score": score, "gain": score - now}
    numbers |= {"low": interval.low - now, "high": interval.high - now}
    return {**numbers, "extrapolated": True, "family": extension.selection.family.name, "errors": errors}
