"""How the runs learned: the dev score over epochs, or the training loss if there is no dev part."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.scales import nice_ticks
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.finetune.view import View, called
from wordworth.reports.number_format import figures, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid

NAME = "learning"
_LEVEL = 0.002
_MOST_LISTED = 12
_LEAST_SPAN = 0.02
"""An axis of scores spans at least two points: smaller changes are chance, and would look like learning."""


def figure(view: View) -> Figure:
    """The chart with its finding as title, or the reason for its absence."""
    looks = view.rows("evaluations")
    by = "dev" if any(finite(look["dev"]) is not None for look in looks) else "loss"
    lines = tuple(line for run in view.rows("runs") if (line := _line(view, run, looks, by)) is not None)
    if not lines:
        return Figure(NAME, "No run was evaluated", "", absent="Every run failed before its first evaluation.")
    written = view.unit.score if by == "dev" else lambda value: figures(value, 3)
    tick = view.unit.tick if by == "dev" else lambda value: f"{value:g}"
    title = _title(lines) if by == "dev" else "Training loss by epoch"
    axis = f"{view.unit.axis}, dev part" if by == "dev" else "training loss"
    chart = LineChart(
        lines,
        _epochs(lines),
        axis,
        tick,
        lambda line, point: f"{line.name} {written(point.value)}",
        least_span=_LEAST_SPAN if by == "dev" else 0.0,
        most_listed=_MOST_LISTED,
    )
    picture = drawn(lambda size, label: line_chart.draw(chart, size, label), NAME, height=330)
    notes = ("Grey: settings that were tried with one seed.",) if any(not line.named for line in lines) else ()
    text = f"{axis} over epochs for {len(lines)} runs. {title}."
    return Figure(NAME, title, text, picture, _table(view, looks), notes)


def _epochs(lines: Sequence[Line]) -> HorizontalAxis:
    last = max(point.x for line in lines for point in line.points)
    ticks = nice_ticks(0, last)
    return HorizontalAxis("epochs", 0, last, ticks, lambda x: f"{x:g}", lambda x: f"epoch {x:.2g}")


def _line(view: View, run: Row, looks: list[Row], by: str) -> Line | None:
    points = tuple(
        Point(float(look["epoch"]), value)
        for look in looks
        if look["run"] == run["run"] and (value := finite(look[by])) is not None
    )
    if not points:
        return None
    restart = run["stage"] == "restart"
    name = called(run).removesuffix(" (kept)")
    return Line(name, view.look(run), points, strong=bool(run["best"]), band=False, named=restart)


def _title(lines: Sequence[Line]) -> str:
    """The epoch from which on the mean of the complete runs is as good as at its best."""
    whole = [line for line in lines if line.named] or list(lines)
    epochs = sorted({point.x for line in whole for point in line.points})
    means = {at: [point.value for line in whole for point in line.points if point.x == at] for at in epochs}
    full = {at: sum(values) / len(values) for at, values in means.items() if len(values) == len(whole)}
    if not full:
        return "The dev score by epoch"
    best = max(full.values())
    first = min(at for at, value in full.items() if value >= best - _LEVEL)
    if best - min(full.values()) < _LEVEL:
        return "The mean dev score hardly moves"
    if first == max(full):
        return "The mean dev score is highest at the end"
    if first == min(full):
        return f"The mean dev score is highest at the first evaluation, after epoch {first:.2g}"
    return f"After epoch {first:.2g} the mean dev score gains nothing more"


def _table(view: View, looks: list[Row]) -> Grid:
    names = {run["run"]: called(run) for run in view.rows("runs")}
    columns = (Column("run", numeric=False), Column("epoch"), Column("update"), Column("training loss"), Column("dev"))
    rows = tuple(
        (
            Cell(names.get(look["run"], str(look["run"]))),
            Cell(f"{look['epoch']:.2f}"),
            Cell(f"{look['step']:,}"),
            Cell(figures(finite(look["loss"]), 3)),
            Cell(view.unit.score(finite(look["dev"])), why="no dev part"),
        )
        for look in looks
    )
    return Grid("Evaluations during training", columns, rows)
