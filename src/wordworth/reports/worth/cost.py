"""Cost against quality: what a better score costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wordworth.reports.charts import cost_quality
from wordworth.reports.charts.cost_quality import Offer, Offers
from wordworth.reports.charts.decision_map import short_count
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import figures, finite, money, seconds, size_in_bytes, speed
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.reports.worth.break_even import break_even
from wordworth.reports.worth.view import Study
from wordworth.text_format import inline_title

NAME = "cost"
_NOISE = 1.3
"""Two measurements of the same speed may differ by this factor."""


@dataclass(frozen=True, slots=True)
class _Axis:
    """A measure of cost for the horizontal axis: its title, its value for a rung, its ticks, and its wording."""

    title: str
    value: Callable[[str], float | None]
    named: Callable[[float], str]
    told: Callable[[float], str]


def figure(study: Study) -> Figure:
    """Scores over texts per second, or over size on disk if nothing was timed; else the reason for its absence."""
    axis = _axis(study)
    offers = [] if axis is None else [o for rung in study.scored() if (o := _offer(study, rung, axis)) is not None]
    if axis is None or not offers:
        absent = "No rung has both a score and a cost above zero."
        return Figure(NAME, "No costs were measured", "", absent=absent)
    data = Offers(tuple(offers), axis.title, study.unit.axis, axis.named, study.unit.tick)
    title = _title(study)
    return Figure(
        NAME,
        title,
        f"{study.unit.title} over {axis.title} for {len(offers)} rungs. {title}.",
        drawn(lambda size, label: cost_quality.draw(data, size, label), NAME, height=360),
        _table(study),
        ("Whiskers are 95 % intervals. The score axis starts where the data need, not at 0.", *break_even(study)),
    )


def _axis(study: Study) -> _Axis | None:
    if any(_rate(study, rung) for rung in study.scored()):
        title = "texts a second (log scale, right is faster)"
        return _Axis(title, lambda rung: _rate(study, rung), short_count, lambda rate: f"{speed(rate)} texts a second")
    if any(_disk(study, rung) for rung in study.scored()):
        return _Axis("size on disk (log scale)", lambda rung: _disk(study, rung), size_in_bytes, size_in_bytes)
    return None


def _rate(study: Study, rung: str | None) -> float | None:
    return finite(study.costs.get(rung or "", {}).get("texts_per_second"))


def _disk(study: Study, rung: str) -> float | None:
    return finite(study.ladder[rung]["disk_bytes"])


def _offer(study: Study, rung: str, axis: _Axis) -> Offer | None:
    row, cost = study.ladder[rung], axis.value(rung)
    score = finite(row["score"])
    if score is None or not cost or cost <= 0:
        return None
    return Offer(
        name=study.title(rung),
        style=study.look(rung),
        cost=cost,
        score=score,
        low=finite(row["low"]),
        high=finite(row["high"]),
        described=(f"{study.unit.title} {study.told(row['score'], row['low'], row['high'])}", axis.told(cost)),
        strong=rung in {study.chosen, study.best},
        floor=study.is_floor(rung),
    )


def _title(study: Study) -> str:
    """The chosen rung compared with the best; if they are the same, with the next best."""
    rung, other = study.chosen, study.best
    if rung == other:
        other = max((r for r in study.scored() if r != rung), key=lambda r: _score(study, r), default=None)
    if rung is None or other is None:
        return f"What {inline_title(study.title(rung or study.best))} costs"
    stands = _distance(study, rung, other)
    names = inline_title(study.title(rung)), inline_title(study.title(other))
    rates = (_rate(study, rung), _rate(study, other))
    if not rates[0] or not rates[1]:
        return f"{names[0]} {stands} {names[1]}"
    return f"{names[0]} {stands} {names[1]}, {_relative_speed(rates[0] / rates[1])}"


def _relative_speed(ratio: float) -> str:
    """The speed of one rung relative to another, no finer than timings on a busy machine allow.

    >>> [_relative_speed(r) for r in (0.91, 1.1, 0.31, 24.3)]
    ['at about the same speed', 'at about the same speed', 'at 31 % of its speed', 'at 24 times its speed']
    """
    if 1 / _NOISE < ratio < _NOISE:
        return "at about the same speed"
    return f"at {figures(ratio)} times its speed" if ratio > 1 else f"at {figures(100 * ratio)} % of its speed"


def _distance(study: Study, rung: str, other: str) -> str:
    """The difference in words: `scores 1.2 points (95 %: 0.3 to 2.1) below`, or that the rungs are level.

    The interval is the paired one that the ladder holds against the best rung.
    """
    row, sign = (study.ladder[rung], 1) if other == study.best else (study.ladder[other], -1)
    gap = sign * (finite(row["gap"]) or 0.0)
    ends = [end for name in ("gap_low", "gap_high") if (end := finite(row[name])) is not None]
    below = 1 if gap > 0 else -1
    low_high = sorted(sign * below * end for end in ends)
    between = f" (95 %: {study.unit.gap(low_high[0])} to {study.unit.gap(low_high[1])})" if len(ends) > 1 else ""
    if study.unit.gap(gap) == "0.0":
        return f"is level{between} with"
    return f"scores {study.unit.size(gap)}{between.replace('+', '')} {'above' if gap > 0 else 'below'}"


def _score(study: Study, rung: str) -> float:
    return finite(study.ladder[rung]["score"]) or 0.0


def _table(study: Study) -> Grid:
    columns = (
        Column("rung", numeric=False),
        Column(study.unit.title),
        Column("95 % interval"),
        Column("texts a second"),
        Column("usual wait (ms)", note="half of single texts are answered within this time"),
        Column("longest wait (ms)", note="19 of 20 single texts are answered within this time"),
        Column("price a million texts"),
        Column("size on disk"),
        Column("memory", note="its files, and what the study's process grew by while it answered a batch"),
        Column("one training", note="one fit on all labels, turning the texts into numbers included"),
    )
    return Grid("Score and cost of every rung", columns, tuple(_cells(study, rung) for rung in study.scored()))


def _cells(study: Study, rung: str) -> tuple[Cell, ...]:
    row, cost = study.ladder[rung], study.costs.get(rung, {})
    return (
        Cell(study.title(rung)),
        Cell(study.unit.score(finite(row["score"]))),
        Cell(study.unit.interval(finite(row["low"]), finite(row["high"])) or "–", why="no interval"),
        Cell(speed(_rate(study, rung)), why="not timed"),
        Cell(figures(finite(cost.get("p50_ms"))), why="not timed"),
        Cell(figures(finite(cost.get("p95_ms"))), why="not timed"),
        Cell(money(finite(cost.get("price_per_million")), study.currency), why="not timed"),
        Cell(size_in_bytes(_disk(study, rung)), why="not known"),
        Cell(size_in_bytes(finite(cost.get("memory_bytes"))), why="not timed"),
        Cell(seconds(finite(cost.get("fit_seconds"))), why="not timed"),
    )
