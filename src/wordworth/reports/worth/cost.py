"""Cost against quality: what a better score costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wordworth.reports.charts import cost_quality
from wordworth.reports.charts.cost_quality import Offer, Offers
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, figures, finite, money, seconds, short_count, size_in_bytes, speed
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid, table_of, value
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
