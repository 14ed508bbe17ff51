"""The runs on a `finetune` page: scores by seed, learning curves, and tables of all runs and of other metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import caption_of
from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.axes import nice_ticks
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.charts.palette import SeriesStyle, key
from wordworth.reports.dots_from_rows import dot_pictures
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.finetune.record_view import LEARNING, SEEDS, FinetuneView, run_name
from wordworth.reports.number_format import ABSENT, count, figures, finite, plus_minus, unit
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, CellMakers, Column, Grid, row_table, value

_MEAN = SeriesStyle(6, "diamond")
_WORDS = {"collapsed": "collapsed", "failed": "failed", "pruned": "dropped on the way", "finished": "finished"}
_MOST_LISTED = 12
_LEAST_SPAN = 0.02
"""An axis of scores spans at least two points: smaller changes are chance, and would look like learning."""


def seeds(view: FinetuneView) -> Figure:
    """Return the figure of the score of each seed; where it cannot be drawn, the figure states the reason."""
    if caption_of(view, SEEDS).absent:
        return captioned_figure(view, SEEDS)
    pictures, text = dot_pictures(_seeds_chart(view), SEEDS), f"{view.unit.title} of {len(view.runs)} runs."
    return captioned_figure(view, SEEDS, text, pictures, _scores(view))


def _seeds_chart(view: FinetuneView) -> DotChart:
    """Return the data of the chart: the runs, their mean, and the score of a constant prediction as a reference line.

    The axis is extended to the reference line only if the line is near the runs.
    """
    groups = (("", tuple(_run(view, row) for row in view.runs)), ("", (_mean(view),)))
    chart = DotChart(groups, view.unit.axis, view.unit.tick, references=())
    baseline = finite(view.verdict.get("baseline"))
    if baseline is None:
        return chart
    ends = [end for dot in chart.dots for end in (dot.value, dot.low, dot.high) if end is not None]
    near = baseline > min(ends) - (max(ends) - min(ends)) - 0.1
    return replace(chart, references=((baseline, view.unlearned),), include=(baseline,) if near else ())


def _mean(view: FinetuneView) -> DotRow:
    main, score = view.rows("scores")[0], view.unit.score
    mean, low, high = (finite(main[name]) for name in ("mean", "low", "high"))
    return DotRow("mean", (Dot(_MEAN, mean, low, high),), ((None, score(mean)),), strong=True)


def _run(view: FinetuneView, row: Row) -> DotRow:
    """Return the row of a run: its dev score as a hollow dot, and its test score as a full dot."""
    state, style = str(row["state"]), view.style(row)
    name, absent = run_name(row).removesuffix(" (kept)"), _WORDS.get(state, state)
    dev, test = finite(row["dev"]), finite(row["test"])
    score = view.unit.score
    return DotRow(
        f"{name} ✗" if state == "collapsed" else name,
        (Dot(style, dev, hollow=True), Dot(style, test)),
        ((None, absent),) if test is None else ((style, f"test {score(test)}"), (None, f"dev {score(dev)}")),
        strong=bool(row["best"]),
        absent=absent,
        overlaid=True,
    )


def _scores(view: FinetuneView) -> Grid:
    cells: CellMakers = {
        "run": run_name,
        "test": lambda row: Cell(view.unit.score(finite(row["test"])), why=str(row["state"])),
        "dev": value("dev", view.unit.score, "no dev part"),
    }
    return row_table("Scores by run", cells, view.runs)


def learning_curves(view: FinetuneView) -> Figure:
    """Return the figure of learning curves: the dev score by epoch or, if there is no dev part, the training loss."""
    if caption_of(view, LEARNING).absent:
        return captioned_figure(view, LEARNING)
    by_dev = view.curve_column == "dev"
    lines = [_line(view, run, points) for run, points in view.learning_curves]
    score_text = view.unit.score if by_dev else lambda value: figures(value, 3)
    axis = f"{view.unit.axis}, dev part" if by_dev else "training loss"
    chart = LineChart(
        lines,
        _epochs(lines),
        axis,
        view.unit.tick if by_dev else "{:g}".format,
        lambda line, point: f"{line.name} {score_text(point.value)}",
        least_span=_LEAST_SPAN if by_dev else 0.0,
        most_listed=_MOST_LISTED,
    )
    pictures = drawn(partial(line_chart.draw, chart), LEARNING, height=330)
    return captioned_figure(view, LEARNING, f"{axis} over epochs for {len(lines)} runs.", pictures, _evaluations(view))


def _epochs(lines: Sequence[Line]) -> HorizontalAxis:
    last = max(point.x for line in lines for point in line.points)
    ticks = nice_ticks(0, last)
    return HorizontalAxis("epochs", 0, last, ticks, lambda x: f"{x:g}", lambda x: f"epoch {x:.2g}")


def _line(view: FinetuneView, run: Row, points: Sequence[tuple[float, float]]) -> Line:
    drawn = tuple(Point(epoch, value) for epoch, value in points)
    name = run_name(run).removesuffix(" (kept)")
    return Line(name, view.style(run), drawn, strong=bool(run["best"]), band=False, named=run["stage"] == "restart")


def _evaluations(view: FinetuneView) -> Grid:
    names = {run["run"]: run_name(run) for run in view.rows("runs")}
    cells: CellMakers = {
        "run": lambda row: names.get(row["run"], str(row["run"])),
        "epoch": lambda row: f"{row['epoch']:.2f}",
        "update": value("step", count),
        "training loss": lambda row: figures(finite(row["loss"]), 3),
        "dev": value("dev", view.unit.score, "no dev part"),
    }
    return row_table("Evaluations during training", cells, view.rows("evaluations"))


_KEPT_AT = Column("kept at", note="the update whose weights are used, of all its updates")


def table(view: FinetuneView) -> Grid:
    """Return the table of all runs, including the runs of a grid search, which have one seed each."""
    rows, score, untested = view.rows("runs"), view.unit.score, {"pruned": "dropped before its end"}

    def test(row: Row) -> Cell:
        return Cell(score(finite(row["test"])), finite(row["test"]), why=untested.get(row["state"], str(row["state"])))

    def run(row: Row) -> Cell:
        name = "tried for the settings" if row["stage"] == "grid" else f"seed {row['seed']}"
        return Cell(name, picture=key(view.style(row)))

    cells: CellMakers = {
        "run": run,
        "test": test,
        "dev": lambda row: Cell(score(finite(row["dev"])), finite(row["dev"]), why="no dev part"),
        "rate": lambda row: Cell(f"{row['learning_rate']:g}", row["learning_rate"]),
        "batch": lambda row: Cell(count(row["batch_size"]), row["batch_size"]),
        "epochs": lambda row: Cell(f"{row['epochs']:g}", row["epochs"]),
        _KEPT_AT: lambda row: Cell(f"{row['kept_step']:,} of {row['steps']:,}", row["kept_step"]),
        "state": lambda row: Cell(_WORDS.get(str(row["state"]), str(row["state"])), detail=str(row["reason"] or "")),
    }
    strong = frozenset(index for index, row in enumerate(rows) if row["best"])
    grid = row_table("All runs", cells, rows, words=("state",))
    return replace(grid, sortable=True, strong=strong, strong_note="its model is kept")


def metrics(view: FinetuneView) -> Grid | None:
    """Return the table of the runs' scores by other usual metrics; None if the task has a single metric."""
    rows = view.rows("scores")
    if len(rows) < 2:  # noqa: PLR2004 - the main one stands above
        return None
    score, why = view.unit.score, "not defined"
    cells: CellMakers = {
        "metric": lambda row: unit(str(row["metric"]), str(row["title"])).title,
        "mean": value("mean", score, why),
        "95 % interval": lambda row: Cell(
            view.unit.interval(finite(row["low"]), finite(row["high"])) or ABSENT, why=why
        ),
        "spread over seeds": value("deviation", plus_minus, why),
        "lowest run": value("least", score, why),
        "highest run": value("most", score, why),
        "model kept": value("best", score, why),
    }
    return row_table("The same runs by other metrics", cells, rows)
