"""The tables of a `heads` record."""

from __future__ import annotations

from typing import Any

from wordworth.inference.prediction_speed import SPEED_COLUMNS
from wordworth.measures.paired_changes import Change
from wordworth.records import Table
from wordworth.studies.compression_frontier import FRONTIER
from wordworth.studies.heads.ablation import ABLATIONS
from wordworth.studies.heads.results import HeadResults

_ABLATED = {
    "zero": "its output set to 0",
    "mean": "its output replaced by its mean over the choosing half",
    "uniform": "its attention made uniform",
}


def _changes(text: str, **further: str) -> dict[str, str]:
    """Return name of a column -> description, for the columns of a change of the score by each kind of ablation.

    Args:
        text: description of the change, with a field for the kind of ablation.
        further: suffix of each further column besides the value and the ends of the interval -> its description.
    """
    ends = {"_low": "of its 95 % interval, over rows", "_high": "of its 95 % interval"}
    return {
        f"{ablation}{part}": about
        for ablation, how in _ABLATED.items()
        for part, about in {"": text.format(how), **ends, **further}.items()
    }


HEADS = {
    "layer": "layer, from 1",
    "head": "number of the head in its layer, from 1",
    "importance": "mean over rows of |dL/dxi|, summed over positions before the absolute value; choosing half",
    "importance_by_position": "mean over tokens of the absolute value at each position; choosing half",
    "gate": "probability that its hard concrete gate is open, learned on the choosing half; the weights stay",
    "rank": "place in the order of pruning, 1 for the first head to go; null for the one that its layer keeps",
    **_changes(
        "change of the score with {}; measuring half",
        _sure="whether the interval excludes 0 at a level corrected for the number of heads",
    ),
}
LAYERS = {
    "layer": "layer, from 1",
    **_changes("change of the score with every head of the layer ablated: {}"),
    "kept": "the head that scores best as the only one of its layer, on the choosing half",
    "kept_one": "change of the score where that head alone is kept in the layer",
    "kept_one_low": "of its 95 % interval",
    "kept_one_high": "of its 95 % interval",
}
CURVES = {
    "order": "importance; by position; gates; by ablation: of each head alone, on the choosing half; reverse: the most "
    "important first; random 1 and so on",
    "pruned": "number of heads pruned",
    "change": "change of the score",
    "low": "of its 95 % interval, over rows",
    "high": "of its 95 % interval",
}


def tables_of(results: HeadResults) -> dict[str, Table]:
    """Return the tables of the record: name -> table."""
    return {
        "heads": Table.of(_heads(results), HEADS),
        "layers": Table.of(_layers(results), LAYERS),
        "curves": Table.of(_curves(results), CURVES),
        "frontier": Table.of(_frontier(results), {**FRONTIER, **SPEED_COLUMNS}),
    }


def changed(change: Change, name: str, prefix: str) -> dict[str, float]:
    """Return a change of score and the ends of its 95 % interval as columns: name of the column -> value.

    Args:
        change: the change with its interval.
        name: name of the change's column.
        prefix: put before `low` and `high`, the names of the interval's columns.
    """
    return {name: change.value, **change.interval.columns(prefix)}


def _heads(results: HeadResults) -> list[dict[str, Any]]:
    measured, importance = results.measured, results.importance
    ranks = {head: rank for rank, head in enumerate(measured.order, start=1)}
    rows = []
    for layer, head in measured.heads["zero"]:
        row: dict[str, Any] = {
            "layer": layer + 1,
            "head": head + 1,
            "importance": float(importance.by_example[layer, head]),
            "importance_by_position": float(importance.by_position[layer, head]),
            "gate": float(results.gates[layer, head]),
            "rank": ranks.get((layer, head)),
        }
        for ablation in ABLATIONS:
            change = measured.heads[ablation][layer, head]
            row |= changed(change, ablation, f"{ablation}_")
            row[f"{ablation}_sure"] = change.is_sure(len(measured.heads[ablation]))
        rows.append(row)
    return rows


def _layers(results: HeadResults) -> list[dict[str, Any]]:
    measured, rows = results.measured, []
    for layer, (kept, change) in enumerate(measured.kept_one):
        row: dict[str, Any] = {"layer": layer + 1}
        for ablation in ABLATIONS:
            row |= changed(measured.layers[ablation][layer], ablation, f"{ablation}_")
        rows.append(row | {"kept": kept + 1} | changed(change, "kept_one", "kept_one_"))
    return rows


def _curves(results: HeadResults) -> list[dict[str, Any]]:
    return [
        {"order": curve.name, "pruned": number, **changed(change, "change", "")}
        for curve in results.measured.curves.values()
        for number, change in zip(curve.pruned, curve.changes, strict=True)
    ]


def _frontier(results: HeadResults) -> list[dict[str, Any]]:
    return [variant.columns() | variant.speed_columns() for variant in results.variants]
