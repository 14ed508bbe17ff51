"""The tables of a `prune` record."""

from __future__ import annotations

from typing import Any

from wordworth.inference.prediction_speed import SPEED_COLUMNS
from wordworth.inference.prune import SmallerModel
from wordworth.models.pruning import size_of
from wordworth.models.transformer import Transformer
from wordworth.records import Table
from wordworth.studies.prune.comparison import SMALLER, WHOLE, Comparison

MODELS = {
    "model": "the whole model, or the smaller one",
    "heads": "number of attention heads that add something",
    "layers": "number of layers",
    "parameters": "number of the encoder's parameters",
    "bytes": "size of the files of weights",
    "score": "score on rows that ranked no head; null without rows",
    "change": "change from the whole model's score",
    "low": "of its 95 % interval, over rows",
    "high": "of its 95 % interval",
}
HEADS = {
    "layer": "layer, from 1",
    "head": "number of the head in its layer, from 1",
    "importance": "mean over rows of |dL/dxi|, summed over positions before the absolute value",
    "rank": "place in the order of pruning, 1 for the first head to go; null for a head that is left",
}
SPEED = {
    "model": "the whole model, or the smaller one",
    **SPEED_COLUMNS,
}


def tables_of(
    whole: Transformer, smaller: SmallerModel, weight_bytes: tuple[int, int], comparison: Comparison | None
) -> dict[str, Table]:
    """Return the tables of a `prune` record by name.

    Args:
        whole: the encoder of the whole model.
        smaller: the smaller encoder.
        weight_bytes: bytes of the files of weights of the whole model and of the smaller one.
        comparison: comparison of the two models; None without rows.
    """
    tables = {"models": Table.of(_models(whole, smaller, weight_bytes, comparison), MODELS)}
    if smaller.importance is not None:
        tables["heads"] = Table.of(_heads(smaller), HEADS)
    return tables


def heads_left(smaller: SmallerModel) -> int:
    """Return the number of attention heads in a smaller model that were neither removed nor set to 0."""
    zeroed = len(smaller.heads) if smaller.form == "heads set to zero" else 0
    return size_of(smaller.model).heads - zeroed


def _models(
    whole: Transformer, smaller: SmallerModel, weight_bytes: tuple[int, int], comparison: Comparison | None
) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name, model, size in ((WHOLE, whole, weight_bytes[0]), (SMALLER, smaller.model, weight_bytes[1])):
        row: dict[str, Any] = dict.fromkeys(MODELS) | {"model": name, **size_of(model)._asdict(), "bytes": size}
        rows.append(row)
    rows[1]["heads"] = heads_left(smaller)
    if comparison is not None:
        rows[0]["score"] = comparison.score_before
        rows[1] |= {"score": comparison.score, "change": comparison.change.value}
        rows[1] |= comparison.change.interval.columns()
    return rows


def _heads(smaller: SmallerModel) -> list[dict[str, Any]]:
    assert smaller.importance is not None  # noqa: S101 - by the caller
    ranks = {head: rank for rank, head in enumerate(smaller.heads, start=1)}
    layers, heads = smaller.importance.shape
    return [
        {
            "layer": layer + 1,
            "head": head + 1,
            "importance": float(smaller.importance[layer, head]),
            "rank": ranks.get((layer, head)),
        }
        for layer in range(layers)
        for head in range(heads)
    ]
