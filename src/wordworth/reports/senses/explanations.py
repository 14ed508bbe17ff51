"""What makes a word's occurrences differ: four explanations, alone and with the others held fixed."""

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
    """Two charts, of the first model that has layers and the set with most words; none where words are too few."""
    rows = view.rows("explanations")
    models = [str(row["model"]) for row in view.models if row["layers"]]
    mine = [row for row in rows if models and row["model"] == models[0]]
    if not mine:
        return []
    data = max(mine, key=lambda row: row["words"])["data"]
    found = []
    for held in (False, True):
        some = [row for row in rows if row["data"] == data and row["held"] is held]
        own = [[row for row in some if row["model"] == model] for model in models]
        found.append(_figure(view, own[0], own[1:], held=held))
    return found


def _figure(view: View, rows: list[Row], others: list[list[Row]], *, held: bool) -> Figure:
    name = f"explained-{'held' if held else 'alone'}"
    kind = "The others held fixed" if held else "Each alone"
    title = f"{kind}, {rows[0]['model']}: {_strongest(rows)}"
    found = [_model(view, rows, explanation, place) for place, explanation in enumerate(_NAMES)]
    models = tuple(model for model in found if model.levels)
    if not models:
        return Figure(name, title, "", absent="Undefined: each is told wholly by the others, or does not vary.")
    data = Layers(models, "rank correlation with self-similarity", written)
    picture = drawn(lambda size, label: layers.draw(data, size, label), name, height=320)
    notes = [f"{rows[0]['model']} on {rows[0]['data']}, {rows[0]['words']:,} words. {_NOTES[held]}", _WORDS]
    notes += [f"In {other[0]['model']} {_strongest(other)}." for other in others if other]
    return Figure(name, title, f"{title}. {' '.join(notes)}", picture, _table(title, rows), tuple(notes))


def _strongest(rows: list[Row]) -> str:
    """`at the top senses tell most (−0.24)`."""
    top = max(int(row["layer"]) for row in rows)
    known = [row for row in rows if row["layer"] == top and finite(row["value"]) is not None]
    if not known:
        return "undefined at the top"
    best = max(known, key=lambda row: abs(finite(row["value"]) or 0))
    return f"at the top {_NAMES[best['explanation']]} tell most ({written(best['value'])})"


def _model(view: View, rows: list[Row], explanation: str, place: int) -> Model:
    """The first has the dotted line at 0, where nothing is explained."""
    levels = tuple(
        Level(int(row["layer"]), value, finite(row["low"]), finite(row["high"]), None if place else 0.0)
        for row in rows
        if row["explanation"] == explanation and (value := finite(row["value"])) is not None
    )
    return Model(_NAMES[explanation], view.depth(str(rows[0]["model"])), levels, LOOKS[place])


def _table(title: str, rows: list[Row]) -> Grid:
    heads = ("explanation", "layer", "rank correlation", "95 %")
    columns = tuple(Column(head, numeric=place > 0) for place, head in enumerate(heads))
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
