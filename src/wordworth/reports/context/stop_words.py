"""Stop words against other words: words that occur everywhere are the most contextual."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from wordworth.reports.charts import layers
from wordworth.reports.charts.layers import Layers, Level, Model
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.context.view import View
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import exact, finite, written
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid

NAME = "stop_words"
_REST = SeriesStyle(1, "square")


def figure(view: View) -> Figure | None:
    """Stop words against the rest in the first model with layers; None if the text has too few of either."""
    rows = view.rows("stop_words")
    model_rows = [row for row in rows if row["model"] == _first_layered_model(view, rows)]
    if not model_rows:
        return None
    name, last = str(model_rows[0]["model"]), model_rows[-1]
    stop = Model("stop words", view.depth(name), _levels(model_rows, "stop"), view.looks[name])
    rest = replace(stop, name="other words", levels=_levels(model_rows, "rest"), look=_REST)
    data = Layers((stop, rest), "self-similarity, not adjusted", written)
    picture = drawn(lambda size, label: layers.draw(data, size, label), NAME, height=300)
    title = f"How alike occurrences of stop words and of other words are in {name}: {_difference(last)}"
    note = (
        f"{last['stop_words']} stop words and {last['other_words']} others. The rank correlation of self-similarity "
        f"with the number of contexts is {written(last['variety'])} at the top (below 0: "
        "the more contexts a word has, the less alike its occurrences are)."
    )
    return Figure(NAME, title, f"{title}. {note}", picture, _table(title, rows), (note, *_others(view, rows, name)))


def _difference(row: Row) -> str:
    """The difference in words: `stop words 0.22 less at the top`."""
    size = written(row["difference"]).removeprefix("−")
    return f"stop words {size} {'less' if row['difference'] < 0 else 'more'} at the top"


def _others(view: View, rows: list[Row], drawn_model: str) -> Iterator[str]:
    """The difference in each of the other models with layers."""
    tops = {str(row["model"]): row for row in rows}
    for name, row in tops.items():
        if name != drawn_model and view.depth(name):
            yield f"In {name}: {_difference(row)}."


def _first_layered_model(view: View, rows: list[Row]) -> str:
    present = {str(row["model"]) for row in rows}
    named = [str(row["model"]) for row in view.models if row["layers"] and row["model"] in present]
    return named[0] if named else ""


def _levels(rows: list[Row], part: str) -> tuple[Level, ...]:
    return tuple(
        Level(int(row["layer"]), float(row[part]), finite(row[f"{part}_low"]), finite(row[f"{part}_high"]))
        for row in rows
    )


def _table(title: str, rows: list[Row]) -> Grid:
    heads = ("model", "layer", "stop words", "other words", "difference", "95 %", "variety of contexts")
    columns = tuple(Column(head, numeric=index > 0) for index, head in enumerate(heads))
    cells = tuple(
        (
            Cell(str(row["model"])),
            Cell(str(row["layer"])),
            Cell(exact(row["stop"])),
            Cell(exact(row["rest"])),
            Cell(exact(row["difference"])),
            Cell(f"{exact(row['low'])} to {exact(row['high'])}"),
            Cell(exact(row["variety"]), why="all words are equally alike"),
        )
        for row in rows
    )
    return Grid(title, columns, cells)
