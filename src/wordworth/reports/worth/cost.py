"""Cost against quality: what a better score costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wordworth.reports.charts import cost_quality
from wordworth.reports.charts.cost_quality import Offer, Offers
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import figures, finite, money, seconds, short_count, size_in_bytes, speed
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.reports.worth.view import WorthView

NAME = "cost"


@dataclass(frozen=True, slots=True)
class _Axis:
    """A measure of cost for the horizontal axis: its title, its value for a rung, its ticks, and its wording."""

    title: str
    value: Callable[[str], float | None]
    tick: Callable[[float], str]
    describe: Callable[[float], str]


def figure(view: WorthView) -> Figure:
    """Scores over texts per second, or over size on disk if nothing was timed; else the reason for its absence."""
    axis = _axis(view)
    offers = [] if axis is None else [o for rung in view.scored() if (o := _offer(view, rung, axis)) is not None]
    if axis is None or not offers:
        absent = "No rung has both a score and a cost above zero."
        return Figure(NAME, "No costs were measured", "", absent=absent)
    data = Offers(tuple(offers), axis.title, view.unit.axis, axis.tick, view.unit.tick)
    caption = view.caption(NAME, "What a better score costs")
    return Figure(
        NAME,
        caption.title,
        f"{view.unit.title} over {axis.title} for {len(offers)} rungs. {caption.title}.",
        drawn(lambda size, label: cost_quality.draw(data, size, label), NAME, height=360),
        _table(view),
        ("Whiskers are 95 % intervals. The score axis starts where the data need, not at 0.", *caption.notes),
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


def _offer(view: WorthView, rung: str, axis: _Axis) -> Offer | None:
    row, cost = view.ladder[rung], axis.value(rung)
    score = finite(row["score"])
    if score is None or not cost or cost <= 0:
        return None
    return Offer(
        name=view.title(rung),
        style=view.style(rung),
        cost=cost,
        score=score,
        low=finite(row["low"]),
        high=finite(row["high"]),
        described=(f"{view.unit.title} {view.score_text(row)}", axis.describe(cost)),
        strong=rung in {view.chosen, view.best},
        floor=view.is_floor(rung),
    )


def _table(view: WorthView) -> Grid:
    columns = (
        Column("rung", numeric=False),
        Column(view.unit.title),
        Column("95 % interval"),
        Column("texts a second"),
        Column("usual wait (ms)", note="half of single texts are answered within this time"),
        Column("longest wait (ms)", note="19 of 20 single texts are answered within this time"),
        Column("price a million texts"),
        Column("size on disk"),
        Column("memory", note="its files, and what the view's process grew by while it answered a batch"),
        Column("one training", note="one fit on all labels, turning the texts into numbers included"),
    )
    return Grid("Score and cost of every rung", columns, tuple(_cells(view, rung) for rung in view.scored()))


def _cells(view: WorthView, rung: str) -> tuple[Cell, ...]:
    row, cost = view.ladder[rung], view.costs.get(rung, {})
    return (
        Cell(view.title(rung)),
        Cell(view.unit.score(finite(row["score"]))),
        Cell(view.unit.interval(finite(row["low"]), finite(row["high"])) or "–", why="no interval"),
        Cell(speed(view.rate(rung)), why="not timed"),
        Cell(figures(finite(cost.get("p50_ms"))), why="not timed"),
        Cell(figures(finite(cost.get("p95_ms"))), why="not timed"),
        Cell(money(finite(cost.get("price_per_million")), view.currency), why="not timed"),
        Cell(size_in_bytes(_disk(view, rung)), why="not known"),
        Cell(size_in_bytes(finite(cost.get("memory_bytes"))), why="not timed"),
        Cell(seconds(finite(cost.get("fit_seconds"))), why="not timed"),
    )
