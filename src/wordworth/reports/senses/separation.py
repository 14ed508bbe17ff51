"""How far the senses of a word are apart, by layer."""

from __future__ import annotations

from wordworth.reports.charts import layers
from wordworth.reports.charts.layers import Layers, Level, Model
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import exact, finite, written
from wordworth.reports.record_view import Row
from wordworth.reports.senses.view import View
from wordworth.reports.tables import Grid, plain

_HEIGHT = 300


def sense_separation(view: View) -> list[Figure]:
    """A chart for each set of tagged words with words of two senses that each occur twice."""
    rows = {data: [row for row in view.rows("apart") if row["data"] == data] for data in view.sets("tagged words")}
    return [_separation_figure(view, data, set_rows) for data, set_rows in rows.items() if set_rows]


def _separation_figure(view: View, data: str, rows: list[Row]) -> Figure:
    models = [model for name in view.looks if (model := _model(view, name, rows)).levels]
    tops = [
        max(model_rows, key=_difference)
        for model in models
        if (model_rows := [r for r in rows if r["model"] == model.name])
    ]
    differences = ", ".join(f"{written(row['difference'])} in {row['model']} (layer {row['layer']})" for row in tops)
    title = f"{data}: occurrences of one sense are closer than those of two by {differences}"
    top = tops[0]
    note = (
        f"Mean over {top['words']:,} words: the cosine of two occurrences in one sense ({written(top['same'])} in "
        f"{top['model']}) less that of two senses ({written(top['different'])}). Dotted: 0, what permuted sense labels "
        "give."
    )
    data_of = Layers(tuple(models), "difference of cosines", written)
    picture = drawn(lambda size, label: layers.draw(data_of, size, label), f"apart-{data}", height=_HEIGHT)
    return Figure(f"apart-{data}", title, f"{title}. {note}", picture, _table(title, rows), (note,))


def _model(view: View, name: str, rows: list[Row]) -> Model:
    levels = tuple(
        Level(int(row["layer"]), float(row["difference"]), finite(row["low"]), finite(row["high"]), 0.0)
        for row in rows
        if row["model"] == name
    )
    return Model(name, view.depth(name), levels, view.looks[name])


def _table(title: str, rows: list[Row]) -> Grid:
    heads = ("model", "layer", "one sense", "two senses", "difference", "95 %", "words")
    cells = [
        (
            str(row["model"]),
            str(row["layer"]),
            *(exact(row[name]) for name in ("same", "different", "difference")),
            f"{exact(row['low'])} to {exact(row['high'])}",
            f"{row['words']:,}",
        )
        for row in rows
    ]
    return plain(title, heads, cells)


def _difference(row: Row) -> float:
    return float(row["difference"])
