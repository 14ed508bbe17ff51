"""The charts by layer of a `senses` page: accuracy, separation of senses, and explanations of self-similarity."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wordworth.reports.captions import caption_of
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SERIES
from wordworth.reports.figure import Figure
from wordworth.reports.layer_figure import layer_figure
from wordworth.reports.number_format import ABSENT, count, exact, finite, two_decimals
from wordworth.reports.record_view import Row
from wordworth.reports.senses.record_view import EXPLANATIONS, NEAREST, SCORE, View, explanation_chart
from wordworth.reports.tables import Cell, CellMakers, Grid, between, plain, row_table, value


def accuracy(view: View) -> list[Figure]:
    """Return figures of accuracy by layer, one for each data set of tagged words or of pairs of sentences."""
    return [_senses(view, data) for data in view.sets("tagged words")] + [
        _pairs(view, data) for data in view.sets("pairs")
    ]


def _senses(view: View, data: str) -> Figure:
    usual, rows = finite(view.most_frequent_sense(data)["score"]), view.by_layer(data)
    models = [view.curve(name, rows, "score", null=usual) for name in view.styles]
    return _accuracy_figure(view, f"senses-{data}", models, "% right, words with a choice", _scores(view, data))


def _pairs(view: View, data: str) -> Figure:
    rows, name = view.rows_of_set("pairs", data), f"pairs-{data}"
    chance = finite(rows[0]["chance"])
    grey = [
        Curve(str(row["system"]), 1, tuple(LayerValue(end, float(row["score"])) for end in (0, 1)))
        for row in view.comparable(data)
    ]
    models = [*grey, *(view.curve(model, rows, "test", null=chance) for model in view.styles)]
    table = _pair_table(caption_of(view, name).title, rows)
    return _accuracy_figure(view, name, models, "% of pairs right", table)


def _accuracy_figure(view: View, name: str, models: Sequence[Curve], axis: str, table: Grid) -> Figure:
    data, notes = CurvesByLayer(models, axis, SCORE.score, SCORE.tick), " ".join(caption_of(view, name).notes)
    return layer_figure(view, name, data, table, description=f"{axis}.", details=notes)


def _scores(view: View, data: str) -> Grid:
    heads = ("what", "layer", "with a choice", "95 %", "over the most frequent", "95 %", "all words, F1", "95 %")
    whole = {_key(row): row for row in view.scores(data, "all")}
    rows = [_score_row(row, whole[_key(row)]) for row in view.scores(data)]
    return plain(f"Accuracy on the senses of {data}", heads, rows)


def _key(row: Row) -> tuple[object, ...]:
    return row["model"], row["system"], row["layer"]


def _score_row(row: Row, whole: Row) -> tuple[Cell | str, ...]:
    name = str(row["model"]) if row["system"] == NEAREST else str(row["system"])
    layer = ABSENT if row["layer"] is None else _chosen_layer(row) if row["layer"] < 0 else str(row["layer"])
    return (
        name,
        Cell(layer, why="needs no vectors"),
        SCORE.score(row["score"]),
        SCORE.interval(row["low"], row["high"]),
        SCORE.gap(row["gap"]),
        SCORE.interval(row["gap_low"], row["gap_high"], signed=True),
        SCORE.score(whole["score"]),
        SCORE.interval(whole["low"], whole["high"]),
    )


def _chosen_layer(row: Row) -> str:
    return f"chosen: {' and '.join(map(str, row['layers']))}" if row.get("layers") else "chosen elsewhere"


def _pair_table(title: str, rows: list[Row]) -> Grid:
    cells: CellMakers = {
        "model": "model",
        "layer": "layer",
        "threshold": value("threshold", exact, "always the same answer"),
        **{name: value(name, SCORE.score, "no pairs of this split") for name in ("train", "dev", "test")},
        "95 %": lambda row: SCORE.interval(row["low"], row["high"]),
    }
    return row_table(title, cells, rows)


def separation(view: View) -> list[Figure]:
    """Return figures of cosines within and between senses by layer, one for each data set of tagged words.

    A data set has a figure if it has words with two senses that each occur at least twice.
    """
    return [_separation_figure(view, f"apart-{data}", rows) for data, rows in view.separations.items()]


def _separation_figure(view: View, name: str, rows: list[Row]) -> Figure:
    models = [curve for model in view.styles if (curve := view.curve(model, rows, "difference", null=0.0)).values]
    caption, data = caption_of(view, name), CurvesByLayer(models, "difference of cosines", two_decimals)
    table = _separation_table(caption.title, rows)
    return layer_figure(view, name, data, table, details=" ".join(caption.notes))


def _separation_table(title: str, rows: list[Row]) -> Grid:
    cosines = {"one sense": "same", "two senses": "different", "difference": "difference"}
    cells: CellMakers = {
        "model": "model",
        "layer": "layer",
        **{head: value(name, exact) for head, name in cosines.items()},
        "95 %": between,
        "words": value("words", count),
    }
    return row_table(title, cells, rows)


def explanations(view: View) -> list[Figure]:
    """Return two figures of what explains a word's self-similarity: simple and partial correlations.

    A partial correlation controls for the other explanations. The figures show the first model with layers, on the data
    set with the most words. The list is empty if there are too few words.
    """
    return [_explanation_figure(view, explanation_chart(held), rows) for held, (rows, *_) in view.explanations.items()]


def _explanation_figure(view: View, name: str, rows: list[Row]) -> Figure:
    curves = [_explanation_curve(view, rows, explanation, index) for index, explanation in enumerate(EXPLANATIONS)]
    data = CurvesByLayer(
        [curve for curve in curves if curve.values], "rank correlation with self-similarity", two_decimals
    )
    caption = caption_of(view, name)
    table = _explanation_table(caption.title, rows)
    return layer_figure(view, name, data, table, details=" ".join(caption.notes), height=320)


def _explanation_curve(view: View, rows: list[Row], explanation: str, index: int) -> Curve:
    """Return the curve of an explanation; the first has the dotted line at 0, where nothing is explained."""
    own = [row for row in rows if row["explanation"] == explanation]
    curve = view.curve(str(rows[0]["model"]), own, null=None if index else 0.0)
    return replace(curve, name=EXPLANATIONS[explanation], style=SERIES[index])


def _explanation_table(title: str, rows: list[Row]) -> Grid:
    cells: CellMakers = {
        "explanation": lambda row: EXPLANATIONS[row["explanation"]],
        "layer": "layer",
        "rank correlation": value("value", exact, "self-similarity does not vary there"),
        "95 %": between,
    }
    return row_table(title, cells, rows)
