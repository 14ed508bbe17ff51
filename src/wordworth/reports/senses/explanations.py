"""Why a word's occurrences differ: four explanations, alone and with the others held fixed."""

from __future__ import annotations

from wordworth.reports.charts import layers
from wordworth.reports.charts.layers import Layers, Level, Model
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.layered_view import LOOKS
from wordworth.reports.number_format import exact, finite, written
from wordworth.reports.record_view import Row
from wordworth.reports.senses.view import View
from wordworth.reports.tables import Cell, Column, Grid

_NAMES = {"senses": "senses", "contexts": "sentences", "variety": "variety", "forms": "forms"}
_NOTES = {
    False: "Alone: a word of many senses also stands in many sentences and has many forms, so these lines share what "
    "they explain.",
    True: "With the other three and the part of speech held fixed: what each explains that the others do not.",
}
_WORDS = (
    "Senses: how many the word is tagged with. Sentences: how many it stands in. Variety: how little the words around "
    "it repeat. Forms: how often two occurrences are written differently (say, said)."
)


def figures(view: View) -> list[Figure]:
    """Two charts, for the first model with layers and the set with most words; none if there are too few words."""
    rows = view.rows("explanations")
    models = [str(row["model"]) for row in view.models if row["layers"]]
    model_rows = [row for row in rows if models and row["model"] == models[0]]
    if not model_rows:
        return []
    data = max(model_rows, key=lambda row: row["words"])["data"]
    charts = []
    for held in (False, True):
        set_rows = [row for row in rows if row["data"] == data and row["held"] is held]
        rows_by_model = [[row for row in set_rows if row["model"] == model] for model in models]
        charts.append(_figure(view, rows_by_model[0], rows_by_model[1:], held=held))
    return charts


def _figure(view: View, rows: list[Row], others: list[list[Row]], *, held: bool) -> Figure:
    name = f"explained-{'held' if held else 'alone'}"
    kind = "The others held fixed" if held else "Each alone"
    title = f"{kind}, {rows[0]['model']}: {_strongest(rows)}"
    curves = [_model(view, rows, explanation, index) for index, explanation in enumerate(_NAMES)]
    models = tuple(model for model in curves if model.levels)
    if not models:
        return Figure(name, title, "", absent="Undefined: each follows wholly from the others, or does not vary.")
    data = Layers(models, "rank correlation with self-similarity", written)
    picture = drawn(lambda size, label: layers.draw(data, size, label), name, height=320)
    notes = [f"{rows[0]['model']} on {rows[0]['data']}, {rows[0]['words']:,} words. {_NOTES[held]}", _WORDS]
    notes += [f"In {other[0]['model']} {_strongest(other)}." for other in others if other]
    return Figure(name, title, f"{title}. {' '.join(notes)}", picture, _table(title, rows), tuple(notes))


def _strongest(rows: list[Row]) -> str:
    """The strongest explanation in words: `at the top senses explain most (−0.24)`."""
    top = max(int(row["layer"]) for row in rows)
    known = [row for row in rows if row["layer"] == top and finite(row["value"]) is not None]
    if not known:
        return "undefined at the top"
    best = max(known, key=lambda row: abs(finite(row["value"]) or 0))
    return f"at the top {_NAMES[best['explanation']]} explain most ({written(best['value'])})"


def _model(view: View, rows: list[Row], explanation: str, index: int) -> Model:
    """The curve of an explanation; the first has the dotted line at 0, where nothing is explained."""
    levels = tuple(
        Level(int(row["layer"]), value, finite(row["low"]), finite(row["high"]), None if index else 0.0)
        for row in rows
        if row["explanation"] == explanation and (value := finite(row["value"])) is not None
    )
    return Model(_NAMES[explanation], view.depth(str(rows[0]["model"])), levels, LOOKS[index])


def _table(title: str, rows: list[Row]) -> Grid:
    heads = ("explanation", "layer", "rank correlation", "95 %")
    columns = tuple(Column(head, numeric=index > 0) for index, head in enumerate(heads))
    why = "self-similarity does not vary there"
    cells = tuple(
        (
            Cell(_NAMES[row["explanation"]]),
            Cell(str(row["layer"])),
            Cell(exact(row["value"]), why=why),
            Cell(f"{exact(row['low'])} to {exact(row['high'])}"),
        )
        for row in rows
    )
    return Grid(title, columns, cells)
