"""The record of `extrapolation.py`: the error of each predicted score, and means over data sets and rungs.

Four ways of predicting are compared. `study` is what a study draws. `last` carries the last score on. `selected` reads
scores off the family of curves that predicts the largest size best from all smaller ones, fitted to all sizes, as
studies did before; `selected, quick` does so with the four sizes of a quick study.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from wordworth.measures.bootstrap import Interval, interval
from wordworth.measures.learning_curves import (
    CONTROL,
    FAMILIES,
    Extension,
    Selection,
    ceilings,
    extend,
    extrapolate,
    fit,
    select,
)

QUICK_SIZES = 4
LEVEL = 1.0
"""Largest difference of two rungs in points that counts as no difference."""
GROUPS: Mapping[str, str] = {
    "overall": "",
    "by_rung": "rung",
    "by_labels": "labels",
    "by_family": "family",
}
Row = dict[str, Any]


def predictions(cell: Mapping[str, Any]) -> Iterator[Row]:
    """Yield a row for each way of predicting and each multiple of the labels; scores in points.

    `error` is predicted less measured. `covered` says whether the printed interval holds what was measured on the same
    test texts; `gain_covered` the same of the gain over the last score, whose interval has less of the test texts'
    chance: both scores share it.
    """
    then = {int(times): float(score) for times, score in cell["then"].items()}
    last, last_draws = float(cell["means"][-1]), np.array(cell["draws"])[:, -1]
    for way, extension in ways(cell, list(then)).items():
        for column, (times, measured) in enumerate(then.items()):
            predicted, printed = float(extension.median[column]), extension.intervals[column]
            yield {
                **{key: cell[key] for key in ("set", "rung", "labels")},
                "way": way,
                "family": extension.selection.family.name,
                "times": times,
                "last": _points(last),
                "measured": _points(measured),
                "predicted": _points(predicted),
                "low": _points(printed.low),
                "high": _points(printed.high),
                "error": _points(predicted - measured),
                "covered": bool(measured in printed),
                "gain_covered": _holds_gain(extension, (column, times), last_draws, measured - last),
            }


def ways(cell: Mapping[str, Any], times: Sequence[int]) -> dict[str, Extension]:
    """Return a cell's curve, extended in each way."""
    sizes, draws = np.array(cell["sizes"]), np.array(cell["draws"])
    to, ends = [cell["labels"] * each for each in times], (float(cell["least"]), 1.0)
    control = Selection(FAMILIES[CONTROL], select(sizes, draws).errors)
    return {
        "study": extend(sizes, draws, to, *ends),
        "last": extrapolate(sizes, draws, to, control, ends),
        "selected": read_off(sizes, draws, to, ends),
        "selected, quick": read_off(sizes[-QUICK_SIZES:], draws[:, -QUICK_SIZES:], to, ends),
    }


def read_off(sizes: np.ndarray, draws: np.ndarray, to: Sequence[int], ends: tuple[float, float]) -> Extension:
    """Return the curve of the family that predicts the largest size best from the others, with intervals as printed.

    Args:
        sizes: int64 [sizes], the numbers of labels.
        draws: float64 [draws, sizes], the resampled curve.
        to: the numbers of labels to predict at.
        ends: the worst and the best possible score.
    """
    chosen = select(sizes, draws)
    scores = np.clip(fit(chosen.family.name, sizes, draws).at(to), *ends)
    errors = chosen.error * np.log2(np.array(to) / sizes[-1])
    spans = tuple(
        _widened(column, error).within(*ends) for column, error in zip(scores.T, errors.tolist(), strict=True)
    )
    return Extension(np.array(to), scores, np.median(scores, axis=0), spans, chosen)


def _widened(draws: np.ndarray, error: float) -> Interval:
    """Return the interval of predictions, widened by twice the error of their family."""
    middle, span = float(np.median(draws)), interval(draws)
    below, above = (float(np.hypot(half, 2 * error)) for half in (middle - span.low, span.high - middle))
    return Interval(middle - below, middle + above)


def _holds_gain(extension: Extension, at: tuple[int, int], last: np.ndarray, gain: float) -> bool:
    """True where the interval of the gain over the last score, widened as the printed one is, holds the gain."""
    column, times = at
    return gain in _widened(extension.scores[:, column] - last, extension.selection.error * float(np.log2(times)))


def _points(score: float) -> float:
    return round(100 * score, 2)


def means(rows: Iterable[Row], by: str = "") -> list[Row]:
    """Return bias, error and coverage for each way, multiple of the labels and value of the column `by`.

    `bias_error` is the standard error of the bias over data sets, as predictions for one set err together.
    """
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["way"], row["times"], row[by] if by else ""), []).append(row)
    return [_mean(group, by, key) for key, group in sorted(groups.items())]


def _mean(group: Sequence[Row], by: str, key: tuple[Any, ...]) -> Row:
    errors = np.array([row["error"] for row in group])
    names = np.array([row["set"] for row in group])
    of_sets = np.array([errors[names == name].mean() for name in np.unique(names)])
    error = of_sets.std(ddof=1) / np.sqrt(len(of_sets)) if len(of_sets) > 1 else np.nan
    return {
        "way": key[0],
        "times": key[1],
        **({by: key[2]} if by else {}),
        "sets": len(of_sets),
        "predictions": len(group),
        "bias": round(float(errors.mean()), 2),
        "bias_error": None if np.isnan(error) else round(float(error), 2),
        "root_mean_square_error": round(float(np.sqrt((errors**2).mean())), 2),
        "coverage": round(float(np.mean([row["covered"] for row in group])), 3),
        "gain_coverage": round(float(np.mean([row["gain_covered"] for row in group])), 3),
        "half_width": round(float(np.median([(row["high"] - row["low"]) / 2 for row in group])), 2),
    }


def overtakings(rows: Iterable[Row]) -> list[Row]:
    """Return how often a rung that is behind was predicted to pass another, and how often it then did.

    Only rungs that learned from the same labels of a data set are compared. Those at most a point apart are counted
    separately, as level.
    """
    studies: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        studies.setdefault((row["way"], row["times"], row["set"], row["labels"]), []).append(row)
    counts: dict[tuple[str, int, bool], list[int]] = {}
    for (way, times, *_), study in studies.items():
        for pair in combinations(study, 2):
            chaser, leader = sorted(pair, key=lambda row: float(row["last"]))
            if chaser["predicted"] > leader["predicted"]:
                level = leader["last"] - chaser["last"] <= LEVEL
                counted = counts.setdefault((way, times, level), [0, 0])
                counted[0] += 1
                counted[1] += chaser["measured"] > leader["measured"]
    return [
        {"way": way, "times": times, "level": level, "predicted": predicted, "happened": happened}
        for (way, times, level), (predicted, happened) in sorted(counts.items())
    ]


def passed_limits(cells: Iterable[Mapping[str, Any]]) -> Row:
    """Return how many curves have a limit, and how many of these limits were passed with the most labels.

    `median` counts the limit of the median draw as it is; `never` those in 39 of 40 draws, raised by the error of their
    family, by which a study says that a rung never reaches a score.
    """
    counts = {"curves": 0, "median": 0, "never": 0}
    for cell in cells:
        sizes, draws = np.array(cell["sizes"]), np.array(cell["draws"])
        measured, raised = max(cell["then"].values()), ceilings(sizes, draws)
        if np.isfinite(raised).all():
            counts["curves"] += 1
            counts["median"] += bool(np.median(raised) - 2 * select(sizes, draws).error < measured)
            counts["never"] += bool(np.quantile(raised, 39 / 40) < measured)
    return counts


def record(cells: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Return means over all predictions, and what a study draws of each curve."""
    cells = list(cells)
    rows = [row for cell in cells for row in predictions(cell)]
    return {
        "sets": sorted({cell["set"] for cell in cells}),
        "cells": len(cells),
        **{name: means(rows, by) for name, by in GROUPS.items()},
        "overtakings": overtakings(rows),
        "passed_limits": passed_limits(cells),
        "predictions": [row for row in rows if row["way"] == "study"],
    }


def tables(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of tables of the means."""
    for name, by in GROUPS.items():
        yield from ("", f"| way | times | {by or name} | predictions | sets | bias | error | coverage | of gains |")
        yield "|---|---|---|---|---|---|---|---|---|"
        for row in summary[name]:
            bias = f"{row['bias']:+.1f}" + ("" if row["bias_error"] is None else f" ± {row['bias_error']:.1f}")
            covered = f"{100 * row['coverage']:.0f} % | {100 * row['gain_coverage']:.0f} %"
            error, counts = f"{row['root_mean_square_error']:.1f}", f"{row['predictions']} | {row['sets']}"
            yield f"| {row['way']} | {row['times']} | {row.get(by, '')} | {counts} | {bias} | {error} | {covered} |"
    for row in summary["overtakings"]:
        which = "of level rungs" if row["level"] else "from behind"
        yield f"{row['way']}, {row['times']} times: {row['happened']} of {row['predicted']} overtakings {which} came"
    yield f"limits that were passed: {summary['passed_limits']}"
