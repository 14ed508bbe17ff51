"""How the runs learned: the dev score over epochs, or the training loss if there is no dev part."""

from __future__ import annotations

from wordworth.reports.charts import epochs
from wordworth.reports.charts.epochs import Trace, Traces
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.finetune.view import View, called
from wordworth.reports.number_format import figures, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid

NAME = "learning"
_LEVEL = 0.002
_LEAST_SPAN = 0.02
"""An axis of scores spans at least two points: smaller changes are chance, and would look like learning."""


def figure(view: View) -> Figure:
    """The chart with its finding as title, or the reason for its absence."""
    looks = view.rows("looks")
    by = "dev" if any(finite(look["dev"]) is not None for look in looks) else "loss"
    traces = tuple(trace for run in view.rows("runs") if (trace := _trace(view, run, looks, by)) is not None)
    if not traces:
        return Figure(NAME, "No run was evaluated", "", absent="Every run failed before its first evaluation.")
    written = view.unit.score if by == "dev" else lambda value: figures(value, 3)
    tick = view.unit.tick if by == "dev" else lambda value: f"{value:g}"
    title = _title(traces) if by == "dev" else "Training loss by epoch"
    axis = f"{view.unit.axis}, dev part" if by == "dev" else "training loss"
    data = Traces(traces, axis, tick, written, _LEAST_SPAN if by == "dev" else 0.0)
    picture = drawn(lambda size, label: epochs.draw(data, size, label), NAME, height=330)
    notes = ("Grey: settings that were tried with one seed.",) if any(not trace.named for trace in traces) else ()
    text = f"{axis} over epochs for {len(traces)} runs. {title}."
    return Figure(NAME, title, text, picture, _table(view, looks), notes)


def _trace(view: View, run: Row, looks: list[Row], by: str) -> Trace | None:
    points = tuple(
        (float(look["epoch"]), value)
        for look in looks
        if look["run"] == run["run"] and (value := finite(look[by])) is not None
    )
    if not points:
        return None
    restart = run["stage"] == "restart"
    return Trace(called(run).removesuffix(" (kept)"), view.look(run), points, strong=bool(run["best"]), named=restart)


def _title(traces: tuple[Trace, ...]) -> str:
    """The epoch from which on the mean of the complete runs is as good as at its best."""
    whole = [trace for trace in traces if trace.named] or list(traces)
    epochs = sorted({at for trace in whole for at, _ in trace.points})
    means = {at: [value for trace in whole for epoch, value in trace.points if epoch == at] for at in epochs}
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
