"""The figures of costs on a `worth` page: the decision map by labels and volume, and scores over speed.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wordworth.reports.captions import caption_of
from wordworth.reports.charts import cheapest_rung_map, scatter
from wordworth.reports.charts.cheapest_rung_map import DecisionMap
from wordworth.reports.charts.scatter import ScatterChart, ScatterPoint
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, figures, finite, money, seconds, short_count, size_in_bytes, speed
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid, plain, table_of, value
from wordworth.reports.worth.record_view import WorthView

DECISION, COST = "decision", "cost"
_HATCHED = "Hatched: what was measured cannot tell whether a cheap rung is good enough with this many labels."


def decision_figure(view: WorthView) -> Figure:
    """Return the figure of the decision map: the cheapest rung among those that the verdict allows.

    One axis is the number of labels, the other the number of texts a month. The figure states a reason in place of a
    drawing if all cells of the map are equal, or if the record holds no map, as when nothing was timed.

    Args:
        view: the record of the study.
    """
    if not view.decision:
        absent = "The decision map needs the timings of the rungs, and this record holds none."
        return Figure(DECISION, "No decision map", "", absent=absent)
    grid, caption = _grid(view), caption_of(view, DECISION)
    if view.map_is_uniform:
        absent = caption.absent or "The same is true at every number of labels and texts, so there is no map to draw."
        return Figure(DECISION, caption.title, "", table=_map_table(grid), notes=caption.notes, absent=absent)
    doubtful = view.has_context and any(is_open for row in grid.uncertain for is_open in row)
    return Figure(
        DECISION,
        caption.title,
        f"A map over number of labels and texts a month. {caption.title}.",
        drawn(lambda size, label: cheapest_rung_map.draw(grid, size, label), DECISION, height=400),
        _map_table(grid),
        (*caption.notes, *((_HATCHED,) if doubtful else ())),
    )


def _grid(view: WorthView) -> DecisionMap:
    decision, uncertain = view.decision, view.uncertain
    labels, texts = (tuple(float(value) for value in decision[name]) for name in ("labels", "texts_per_month"))
    rungs = tuple(tuple(row) for row in decision["rung"])
    costs = decision.get("total_cost")

    def describe(row: int, column: int) -> tuple[str, ...]:
        cost = finite(costs[row][column]) if costs else None
        name = view.title(rungs[row][column]) if rungs[row][column] else "no rung"
        is_open = uncertain[row][column] and rungs[row][column]
        first = (
            f"{cheapest_rung_map.OPEN_NAME}; of those near the best score, the cheapest: {name}" if is_open else name
        )
        return (first,) if cost is None else (first, f"total {money(cost, view.currency)}")

    names = {rung: view.title(rung) for row in rungs for rung in row if rung}
    return DecisionMap(
        labels=labels,
        texts=texts,
        rung=rungs,
        uncertain=tuple(tuple(bool(is_open) for is_open in row) for row in uncertain),
        names=names,
        styles={rung: view.style(rung) for rung in names},
        describe=describe,
        here=view.most_labels,
    )


def _map_table(grid: DecisionMap) -> Grid:
    heads = ["texts a month", *(f"{labels:,.0f} labels" for labels in grid.labels)]
    rows = []
    for row, texts in enumerate(grid.texts):
        cells = [", ".join(grid.describe(row, column)) for column in range(len(grid.labels))]
        rows.append([short_count(texts), *cells])
    return plain("The cheapest rung that is good enough, by texts a month and labels", heads, rows, numeric=False)


@dataclass(frozen=True, slots=True)
class _Axis:
    """A measure of cost for the horizontal axis.

    Attributes:
        title: title of the axis.
        value: function from a rung to its cost; None if it has none.
        tick: function that writes a value on the axis.
        describe: function that writes a value in a tooltip.
    """

    title: str
    value: Callable[[str], float | None]
    tick: Callable[[float], str]
    describe: Callable[[float], str]


def cost_figure(view: WorthView) -> Figure:
    """Return the figure of each rung's score over its texts per second, or over its size on disk if nothing was timed.

    The figure states a reason in place of a drawing if no rung has both a score and a cost.
    """
    axis = _axis(view)
    points = [] if axis is None else [p for rung in view.scored() if (p := _point(view, rung, axis)) is not None]
    if axis is None or not points:
        absent = "No rung has both a score and a cost above zero."
        return Figure(COST, "No costs were measured", "", absent=absent)
    chart = ScatterChart(tuple(points), axis.title, view.unit.axis, axis.tick, view.unit.tick)
    caption = caption_of(view, COST)
    return Figure(
        COST,
        caption.title,
        f"{view.unit.opening} over {axis.title} for {len(points)} rungs. {caption.title}.",
        drawn(lambda size, label: scatter.draw(chart, size, label), COST, height=360),
        _cost_table(view),
        ("Whiskers are 95 % intervals. The score axis may start above 0.", *caption.notes),
    )


def _axis(view: WorthView) -> _Axis | None:
    if any(view.rate(rung) for rung in view.scored()):
        title = "texts a second (log scale, right is faster)"
        return _Axis(title, view.rate, short_count, lambda rate: f"{speed(rate)} texts a second")
    if any(_disk(view, rung) for rung in view.scored()):
        return _Axis("size on disk (log scale)", lambda rung: _disk(view, rung), size_in_bytes, size_in_bytes)
    return None


def _disk(view: WorthView, rung: str) -> float | None:
    return finite(view.ladder[rung]["disk_bytes"])


def _point(view: WorthView, rung: str, axis: _Axis) -> ScatterPoint | None:
    row, cost = view.ladder[rung], axis.value(rung)
    score = finite(row["score"])
    if score is None or not cost or cost <= 0:
        return None
    return ScatterPoint(
        name=view.title(rung),
        style=view.style(rung),
        x=cost,
        y=score,
        low=finite(row["low"]),
        high=finite(row["high"]),
        details=(f"{view.unit.title} {view.score_text(row)}", axis.describe(cost)),
        strong=rung in view.compared,
        may_leave_axis=view.is_floor(rung),
    )


def _cost_table(view: WorthView) -> Grid:
    def timed(name: str, write: Callable[[float | None], str]) -> Callable[[Row], Cell]:
        return lambda row: Cell(write(finite(view.costs.get(row["rung"], {}).get(name))), why="not timed")

    usual, longest = ("half of single texts are", "19 of 20 single texts are")
    memory = "its files, and what the study's process grew by while it answered a batch"
    fields = (
        (Column("rung", numeric=False), lambda row: view.title(row["rung"])),
        (Column(view.unit.title), value("score", view.unit.score)),
        (Column("95 % interval"), lambda row: Cell(view.interval(row) or ABSENT, why="no interval")),
        (Column("texts a second"), timed("texts_per_second", speed)),
        (Column("usual wait (ms)", note=f"{usual} answered within this time"), timed("p50_ms", figures)),
        (Column("longest wait (ms)", note=f"{longest} answered within this time"), timed("p95_ms", figures)),
        (Column("price a million texts"), timed("price_per_million", lambda price: money(price, view.currency))),
        (Column("size on disk"), value("disk_bytes", size_in_bytes, "not known")),
        (Column("memory", note=memory), timed("memory_bytes", size_in_bytes)),
        (
            Column("one training", note="one fit on all labels, turning the texts into numbers included"),
            timed("fit_seconds", seconds),
        ),
    )
    return table_of("Score and cost of every rung", fields, [view.ladder[rung] for rung in view.scored()])
