"""The charts of the loss around a fine-tuned model, of a `finetuning` record: on lines, on a plane, and on the way."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts import heat_map
from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.axes import nice_ticks, padded
from wordworth.reports.charts.heat_map import HeatCell, HeatMap
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.finetuning_changes.styles import RANDOM, RUN, SCRATCH, SEED, START, UNSEEN
from wordworth.reports.number_format import exact, finite, tick
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Column, plain, row_table

_LINES = {"this run": RUN, "with its first head": START, "second seed": SEED, "from scratch": SCRATCH}


def loss_figures(view: RecordView) -> list[Figure]:
    """Return the charts of the loss around the model.

    The first two show the loss from the start to the model, and around the model. A record that was made with a plane
    and with points of the training has a chart of each.

    Args:
        view: the record.
    """
    return [_lines(view), _around(view), *_plane(view), *_way(view)]


def _lines(view: RecordView) -> Figure:
    rows = [row for row in view.rows("lines") if row["direction"] == "line"]
    lines = [_loss_line(name, rows) for name in dict.fromkeys((str(row["line"]), str(row["rows"])) for row in rows)]
    text = "Loss on the line from the start (0) to the model (1)."
    return _loss_figure(view, "lines", text, lines, "position on the line: 0 start, 1 model")


def _around(view: RecordView) -> Figure:
    rows = [row for row in view.rows("lines") if row["direction"] != "line"]
    keys = dict.fromkeys((str(row["line"]), str(row["rows"]), str(row["direction"])) for row in rows)
    lines = [
        _loss_line((name, of_rows), [row for row in rows if row["direction"] == direction], direction)
        for name, of_rows, direction in keys
    ]
    text = "Loss around the end of each run, in norms of its weights."
    return _loss_figure(view, "around", text, lines, "norms of the weights from the end")


def _loss_line(key: tuple[str, str], rows: Sequence[Row], direction: str = "") -> Line:
    name, of_rows = key
    chosen = [row for row in rows if (row["line"], row["rows"]) == key]
    points = tuple(Point(row["position"], row["loss"], finite(row["low"]), finite(row["high"])) for row in chosen)
    is_second = name == "this run" and (of_rows == "unseen" or direction.startswith("random"))
    title = name + (", unseen" if of_rows == "unseen" else "") + (", random" if direction.startswith("random") else "")
    style = UNSEEN if is_second else _LINES.get(name, RANDOM)
    dash = "5 4" if direction.startswith("random") and name != "this run" else ""
    main = name == "this run" and not is_second
    return Line(title, style, points, strong=main, band=main, dash=dash)


def _loss_figure(view: RecordView, name: str, text: str, lines: Sequence[Line], axis: str) -> Figure:
    positions = sorted({point.x for line in lines for point in line.points})
    low, high = positions[0], positions[-1]
    x = HorizontalAxis(axis, low, high, nice_ticks(low, high), tick, "at {:g}".format)
    chart = LineChart(lines, x, "loss", tick, lambda line, point: f"{line.name} {exact(point.value)}")
    cells = [
        (f"{position:g}", *(next((exact(p.value) for p in line.points if p.x == position), "") for line in lines))
        for position in positions
    ]
    table = plain("Loss by position", ("position", *(line.name for line in lines)), cells)
    pictures = drawn(partial(line_chart.draw, chart), name, height=330)
    return captioned_figure(view, name, text, pictures, table)


def _plane(view: RecordView) -> list[Figure]:
    rows = view.rows("plane")
    if not rows:
        return []
    positions = sorted({row["across"] for row in rows})
    losses = {(row["across"], row["up"]): float(row["loss"]) for row in rows}
    ranked = {loss: rank for rank, loss in enumerate(sorted(set(losses.values())))}
    cells = [[_plane_cell(losses[x, y], (x, y), ranked) for x in positions] for y in reversed(positions)]
    data = HeatMap(
        tuple(map(_mark, reversed(positions))),
        tuple(map(_mark, positions)),
        cells,
        "across: to the model (0 start, 1 model) · up: second direction",
    )
    pictures = drawn(partial(heat_map.draw, data), "plane", height=heat_map.height(data))
    heads = ("up \\ across", *(tick(round(x, 2)) for x in positions))
    table = plain(
        "Loss on the plane", heads, [(tick(y), *(exact(losses[x, y]) for x in positions)) for y in reversed(positions)]
    )
    return [captioned_figure(view, "plane", "Loss on the plane.", pictures, table)]


def _mark(position: float) -> str:
    """Return the name of a row or column of the landscape: its position if it is a multiple of 0.5, else ""."""
    return tick(position) if 2 * position == round(2 * position) else ""


def _plane_cell(loss: float, position: tuple[float, float], ranked: dict[float, int]) -> HeatCell:
    mark = {(0.0, 0.0): "S", (1.0, 0.0): "M"}.get(position, "")
    line = f"loss {exact(loss)}"
    strength, title = ranked[loss] / max(1, len(ranked) - 1), f"{tick(position[0])}, {tick(position[1])}"
    return HeatCell(strength, SCRATCH, mark, title, line)


def _way(view: RecordView) -> list[Figure]:
    rows = view.rows("way")
    if not rows:
        return []
    points = tuple(Point(row["along"], row["aside"]) for row in sorted(rows, key=lambda row: row["along"]))
    low, high = padded([point.x for point in points])
    axis = HorizontalAxis("towards the model", low, high, nice_ticks(low, high), tick, "{:.2f} towards".format)
    line = Line("training", RUN, points, strong=True)
    chart = LineChart([line], axis, "aside", tick, lambda _, point: f"{exact(point.value)} aside")
    table = row_table(
        "The way of the training",
        {
            "updates": lambda row: f"{row['step']:,}",
            "distance": lambda row: exact(row["distance"]),
            Column("angle", note="degrees from the direction of the model"): lambda row: exact(row["angle"]),
            "loss": lambda row: exact(row["loss"]),
        },
        rows,
    )
    pictures = drawn(partial(line_chart.draw, chart), "way", height=260)
    return [captioned_figure(view, "way", "Distance towards the model and aside.", pictures, table)]
