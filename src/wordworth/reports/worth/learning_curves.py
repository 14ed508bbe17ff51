"""The figure of learning curves on a `worth` page: the score of each rung by number of labels, with predictions.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from wordworth.reports.captions import caption_of
from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, count, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid, table_of, value
from wordworth.reports.worth.record_view import WorthView

NAME = "curves"
_NOTE = (
    "The bands are 95 % intervals over draws of the labels and over test texts{whose}. The score axis may start "
    "above 0; bands of predictions may run beyond it."
)


def curves_figure(view: WorthView) -> Figure:
    """Return the figure of learning curves (score by number of labels); a figure without curves states the reason."""
    lines = _lines(view)
    if not lines:
        return Figure(NAME, "No learning curve was measured", "", absent="The record holds no curve.")
    chart = LineChart(
        lines,
        _axis(lines),
        view.unit.axis,
        view.unit.tick,
        lambda line, point: f"{line.name} {view.interval_text(point.value, point.low, point.high)}",
    )
    caption = caption_of(view, NAME)
    return Figure(
        NAME,
        caption.title,
        f"{view.unit.opening} by number of labels for {len(lines)} rungs. {caption.title}.",
        drawn(lambda size, label: line_chart.draw(chart, size, label), NAME, height=400),
        _table(view),
        (_note(view, lines), *caption.notes),
    )


def _axis(lines: Sequence[Line]) -> HorizontalAxis:
    counts = sorted({point.x for line in lines for point in line.points})
    measured = {point.x for line in lines for point in line.points if not point.predicted}
    spare = 2.0 if len(counts) == 1 else 1.0
    return HorizontalAxis(
        "labels (log scale)",
        counts[0] / spare,
        counts[-1] * spare,
        counts,
        count,
        lambda x: f"{count(x)} labels" + (" (predicted)" if x not in measured else ""),
        log=True,
    )


def _lines(view: WorthView) -> tuple[Line, ...]:
    rows = [row for row in view.rows("curve") if finite(row["score"]) is not None and row["labels"]]
    order = {rung: position for position, rung in enumerate(view.ladder)}
    rows.sort(key=lambda row: (order.get(row["rung"], len(order)), row["rung"], row["labels"]))
    return tuple(
        Line(
            view.title(rung),
            view.style(rung),
            tuple(_point(row) for row in group),
            strong=rung in view.compared,
            may_leave_axis=view.is_floor(rung),
            band=rung in view.compared,
        )
        for rung, group in groupby(rows, key=lambda row: str(row["rung"]))
    )


def _note(view: WorthView, lines: Sequence[Line]) -> str:
    if all(line.band for line in lines) or len({point.x for line in lines for point in line.points}) == 1:
        return _NOTE.format(whose="")
    names = " and ".join(view.title(rung) for rung in view.compared)
    return _NOTE.format(whose=f", drawn for {names}; those of the others are in the numbers and under the pointer")


def _point(row: Row) -> Point:
    score = finite(row["score"]) or 0.0
    ends = finite(row["low"]), finite(row["high"])
    return Point(int(row["labels"]), score, *ends, predicted=bool(row["extrapolated"]))


def _table(view: WorthView) -> Grid:
    fields = (
        (Column("rung", numeric=False), lambda row: view.title(row["rung"])),
        (Column("labels"), value("labels", count)),
        (Column(view.unit.title), value("score", view.unit.score, "not measured")),
        (Column("95 % interval"), lambda row: Cell(view.interval(row) or ABSENT, why="no interval")),
        (Column("runs", note="independent draws of the labels"), value("seeds", count, "predicted, not run")),
        (Column("", numeric=False), lambda row: "predicted" if row["extrapolated"] else "measured"),
    )
    return table_of("Scores by number of labels", fields, view.rows("curve"))
