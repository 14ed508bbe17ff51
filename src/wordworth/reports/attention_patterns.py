"""The page of a `patterns` record: measures of attention by layer and head, and a two-dimensional map of the heads.

A table lists the measures of every head.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from wordworth.records import Record
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
from wordworth.reports.charts import heat_map, labelled_points
from wordworth.reports.charts.heat_map import HeatCell
from wordworth.reports.charts.labelled_points import PlanePoint
from wordworth.reports.charts.palette import SERIES
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.head_statistics import HEAD_STATISTICS, head_map
from wordworth.reports.number_format import exact, figures, finite, interval, share
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval

_STYLES = dict(zip(("special", "previous", "next", "broad", "other"), SERIES, strict=False))
_LETTERS = {"special": "s", "previous": "p", "next": "n", "broad": "b", "other": ""}
_MAPPED = ("entropy", "special")
"""The columns of the table `heads` that have a map."""


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of a `patterns` record -> its caption."""
    view = RecordView.of(record)
    maps = {column: _map_caption(view, column) for column in _MAPPED}
    return {**maps, "types": _types_caption(view), "plane": _plane_caption(view)}


def _map_caption(view: RecordView, column: str) -> Caption:
    statistic, top = HEAD_STATISTICS[column], max(view.rows("heads"), key=lambda row: row[column])
    return Caption(f"{statistic.title}: most in {_name(top)}, {statistic.amount(top[column])}")


def _types_caption(view: RecordView) -> Caption:
    numbers = view.verdict
    title = f"{numbers['focused']} heads attend mostly to a neighbour or special tokens, {numbers['broad']} broadly"
    note = "The first pattern that fits, by the thresholds of Clark et al. (2019); see “How it was done”."
    return Caption(title, (note,))


def _plane_caption(view: RecordView) -> Caption:
    own, random = view.rows("distances")
    notes = (
        f"A head is the number of its layer. The plane keeps {share(own['kept'])} of the squared distances.",
        f"With random weights heads are {exact(random['within'])} and {exact(random['between'])} nats apart.",
    )
    return Caption(f"Within a layer {exact(own['within'])} nats apart, between layers {exact(own['between'])}", notes)


def page(record: Record) -> str:
    """Return the page of a `patterns` record as one self-contained HTML document."""
    view = RecordView.of(record)
    maps = [*(_map(view, column) for column in _MAPPED), _types(view)]
    groups = [("Heads", maps), ("Which heads are alike", [_plane(view)])]
    tables = [_type_table(view), _layer_table(view), _gradient_table(view), _head_table(view.rows("heads"))]
    question = f"What attention heads attend to · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question)


def _map(view: RecordView, column: str) -> Figure:
    """Return the heat map of a measure over layers and heads."""
    by_head = {(row["layer"], row["head"]): float(row[column]) for row in view.rows("heads")}
    return head_map(view, column, HEAD_STATISTICS[column], by_head)


def _types(view: RecordView) -> Figure:
    """Return the heat map of the types of heads, with a letter and a hue for each type."""

    def cell(row: Row) -> HeatCell:
        kind = str(row["type"])
        strength = 0.1 if kind == "other" else 0.9
        return HeatCell(strength, _STYLES[kind], _LETTERS[kind], _name(row), kind)

    cells = {(row["layer"], row["head"]): cell(row) for row in view.rows("heads")}
    data = heat_map.of_heads(cells, "s special · p previous · n next · b broad · empty: other")
    pictures = drawn(partial(heat_map.draw, data), "types", height=heat_map.height(data))
    return captioned_figure(view, "types", "Type by layer and head.", pictures)


def _name(row: Row) -> str:
    return f"layer {row['layer']}, head {row['head']}"


def _plane(view: RecordView) -> Figure:
    """Return the map of heads by their divergences: each head is the number of its layer, in the colour of its type."""
    points = [
        PlanePoint(row["x"], row["y"], str(row["layer"]), _STYLES[str(row["type"])], _name(row), str(row["type"]))
        for row in view.rows("heads")
    ]
    text, table = "Heads in a plane by their Jensen-Shannon divergence.", _distance_table(view.rows("distances"))
    pictures = drawn(partial(labelled_points.draw, points), "plane", height=380)
    return captioned_figure(view, "plane", text, pictures, table)


def _distance_table(rows: list[Row]) -> Grid:
    heads = ("model", "within a layer", "between layers", "gap", Column("p", note="over permutations of heads"))
    cells: list[Sequence[Cell | str]] = [
        (
            str(row["model"]),
            *(Cell(f"{row[name]:.5f}", row[name]) for name in ("within", "between")),
            Cell(f"{row['gap']:.5f}", row["gap"], detail=interval(row["low"], row["high"], lambda end: f"{end:.5f}")),
            Cell(exact(row["p"]), row["p"]),
        )
        for row in rows
    ]
    return plain("Mean Jensen-Shannon divergence, in nats a token", heads, cells)


def _type_table(view: RecordView) -> Grid:
    note = "mean over encoders with random weights, the least and the most"
    heads = ("type", "heads", "95 % interval", Column("random weights", note=note))
    cells: list[Sequence[Cell | str]] = [
        (
            str(row["type"]),
            str(row["heads"]),
            interval(row["low"], row["high"], lambda end: f"{end:.0f}"),
            _random(row),
        )
        for row in view.rows("types")
    ]
    return plain("Heads by type", heads, cells)


def _random(row: Row) -> Cell:
    ends = (row.get("random_least"), row.get("random_most"))  # records of before have one random encoder
    return Cell(f"{row['random']:g}", row["random"], detail=interval(*ends, lambda end: f"{end:.0f}"))


_MEASURES = ("entropy", "first", "separator", "punctuation", "previous", "next", "self")


def _layer_table(view: RecordView) -> Grid:
    """Return the table of each measure's mean over the heads of a layer, with its interval.

    Under each measure is a line with the means for random weights.
    """
    rows = view.rows("layers")
    heads: Sequence[str | Column] = ("measure", *(f"layer {row['layer']}" for row in rows))
    cells: list[Sequence[Cell | str]] = []
    for name in _MEASURES:
        own = (with_interval(row, name, prefix=f"{name}_") for row in rows)
        cells.append((name.replace("first", "first token"), *own))
        cells.append(
            (f"{name.replace('first', 'first token')}, random weights", *(exact(row[f"random_{name}"]) for row in rows))
        )
    return plain("Means over the heads of a layer: entropy in nats, attention as a share", heads, cells)


def _gradient_table(view: RecordView) -> Grid:
    """Return the table of the loss's gradient by attention to three kinds of tokens, for each layer.

    The gradient is a multiple of the gradient by attention to other tokens.
    """
    rows = view.rows("layers")
    heads: Sequence[str | Column] = ("attention to", *(f"layer {row['layer']}" for row in rows))
    cells: list[Sequence[Cell | str]] = []
    for prefix, control in (("", ""), ("random_", ", random weights")):
        for name in ("first", "separator", "punctuation"):
            multiples = [_multiple(row, f"{prefix}gradient_{name}", f"{prefix}gradient_other") for row in rows]
            cells.append((f"{name.replace('first', 'first token')}{control}", *multiples))
    return plain("|Gradient of the loss by attention|, as a multiple of that to other tokens", heads, cells)


def _multiple(row: Row, name: str, other: str) -> str:
    above, below = finite(row[name]), finite(row[other])
    return figures(above / below if above is not None and below else None)


def _head_table(rows: list[Row]) -> Grid:
    heads: Sequence[str | Column] = (
        "head",
        Column("type", numeric=False),
        *(Column(name) for name in ("entropy", "first", "separator", "punctuation", "self", "previous", "next")),
        Column("offset", note="of most attention, in tokens, with its share"),
    )
    names = ("entropy", "first", "separator", "punctuation", "self", "previous", "next")
    cells: list[Sequence[Cell | str]] = [
        (
            Cell(f"{row['layer']}-{row['head']}", 1000 * row["layer"] + row["head"]),
            str(row["type"]),
            *(Cell(exact(row[name]), row[name]) for name in names),
            Cell(f"{row['offset']:+d}" if row["offset"] else "0", row["offset"], detail=share(row["offset_attention"])),
        )
        for row in rows
    ]
    grid = plain("Every head, as layer-head", heads, cells)
    return Grid(grid.caption, grid.columns, grid.rows, sortable=True)
