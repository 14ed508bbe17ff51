"""The learning curves: who leads at how many labels, and what more labels are predicted to bring."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import numpy as np

from wordworth.reports.charts import lines as line_chart
from wordworth.reports.charts.lines import HorizontalAxis, Line, LineChart, Point
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import count, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.reports.worth.more_labels import more_labels
from wordworth.reports.worth.view import Study
from wordworth.text_format import inline_title, join_words

NAME = "curves"
_NAMED = 3
"""Most rungs that a title names; more are counted."""
_NOTE = (
    "The bands are 95 % intervals over draws of the labels and over test texts{whose}. The score axis starts where the "
    "data need, not at 0; bands of predictions may run beyond it."
)


def figure(study: Study) -> Figure:
    """The chart with its finding as title, or the reason for its absence."""
    lines = _lines(study)
    if not lines:
        return Figure(NAME, "No learning curve was measured", "", absent="The record holds no curve.")
    chart = LineChart(
        lines,
        _axis(lines),
        study.unit.axis,
        study.unit.tick,
        lambda line, point: f"{line.name} {study.told(point.value, point.low, point.high)}",
    )
    title = _title(study, lines)
    text = f"{study.unit.title} by number of labels for {len(lines)} rungs. {title}."
    return Figure(
        NAME,
        title,
        text,
        drawn(lambda size, label: line_chart.draw(chart, size, label), NAME, height=400),
        _table(study),
        (_note(study, lines), *more_labels(study)),
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


def _lines(study: Study) -> tuple[Line, ...]:
    rows = [row for row in study.rows("curve") if finite(row["score"]) is not None and row["labels"]]
    order = {rung: position for position, rung in enumerate(study.ladder)}
    rows.sort(key=lambda row: (order.get(row["rung"], len(order)), row["rung"], row["labels"]))
    return tuple(
        Line(
            study.title(rung),
            study.look(rung),
            tuple(_point(row) for row in group),
            strong=rung in {study.chosen, study.best},
            floor=study.is_floor(rung),
            band=rung in study.rivals,
        )
        for rung, group in groupby(rows, key=lambda row: str(row["rung"]))
    )


def _note(study: Study, lines: Sequence[Line]) -> str:
    if all(line.band for line in lines) or len({point.x for line in lines for point in line.points}) == 1:
        return _NOTE.format(whose="")
    names = " and ".join(inline_title(study.title(rung)) for rung in study.ladder if rung in study.rivals)
    return _NOTE.format(whose=f", drawn for {names}; those of the others are in the numbers and under the pointer")


def _point(row: Row) -> Point:
    score = finite(row["score"]) or 0.0
    ends = finite(row["low"]), finite(row["high"])
    return Point(int(row["labels"]), score, *ends, predicted=bool(row["extrapolated"]))


def _title(study: Study, lines: Sequence[Line]) -> str:
    """Who leads up to which size, and whether the lead at the largest size is clear."""
    leaders = _leaders(lines)
    top = f"{count(leaders[-1][0])} labels"
    turns = [
        (inline_title(name), [labels for labels, _ in group])
        for name, group in groupby(leaders, key=lambda leader: leader[1])
    ]
    if len(turns) == 1:
        base = f"{turns[0][0]} leads at every number of labels" if len(leaders) > 1 else f"{turns[0][0]} leads at {top}"
    elif len(turns) == 2:  # noqa: PLR2004 - the lead changes once
        base = f"{turns[0][0]} leads up to {count(turns[0][1][-1])} labels, then {turns[1][0]}"
    else:
        base = f"The lead changes {len(turns) - 1} times; {turns[-1][0]} is ahead at {top}"
    level = [inline_title(study.title(rung)) for rung in _level(study)]
    if not level:
        return base
    names = join_words(level) if len(level) <= _NAMED else f"{len(level)} others"
    return f"{base}; {names} {'are' if len(level) > 1 else 'is'} {_how_level(study)} it at {top}"


def _how_level(study: Study) -> str:
    """Level within the margin if every interval that includes 0 stays inside it; else only not told apart."""
    epsilon = finite(study.verdict.get("epsilon")) or 0.0
    lows = [finite(study.ladder[rung]["gap_low"]) for rung in _level(study)]
    return "level with" if all(low is not None and low >= -epsilon for low in lows) else "not told apart from"


def _leaders(lines: Sequence[Line]) -> list[tuple[int, str]]:
    """The best rung at each measured size that at least half of the rungs reached.

    A rung that was not run at a size between two of its own counts there with the value of its drawn line.
    """
    measured = {
        line.name: [(int(point.x), point.value) for point in line.points if not point.predicted] for line in lines
    }
    reached = Counter(labels for points in measured.values() for labels, _ in points)
    sizes = sorted(labels for labels, count in reached.items() if 2 * count >= max(reached.values()))
    at = {labels: [(_drawn_at(labels, points), name) for name, points in measured.items()] for labels in sizes}
    return [(labels, max(scores)[1]) for labels, scores in at.items()]


def _drawn_at(labels: int, points: Sequence[tuple[int, float]]) -> float:
    """The value of a line between measured points, straight in the logarithm; −infinity beyond its ends."""
    known, scores = zip(*points, strict=True)
    inside = known[0] <= labels <= known[-1]
    return float(np.interp(math.log2(labels), np.log2(known), scores)) if inside else -math.inf


def _level(study: Study) -> list[str]:
    """The rungs whose gap to the best may be zero: its interval includes 0."""
    highs = {rung: finite(row["gap_high"]) for rung, row in study.ladder.items() if rung != study.best}
    return [rung for rung, high in highs.items() if high is not None and high >= 0]


def _table(study: Study) -> Grid:
    columns = (
        Column("rung", numeric=False),
        Column("labels"),
        Column(study.unit.title),
        Column("95 % interval"),
        Column("runs", note="independent draws of the labels"),
        Column("", numeric=False),
    )
    rows = tuple(_cells(study, row) for row in study.rows("curve"))
    return Grid("Scores by number of labels", columns, rows)


def _cells(study: Study, row: Row) -> tuple[Cell, ...]:
    return (
        Cell(study.title(row["rung"])),
        Cell(count(finite(row["labels"]))),
        Cell(study.unit.score(finite(row["score"])), why="not measured"),
        Cell(study.unit.interval(finite(row["low"]), finite(row["high"])) or "–", why="no interval"),
        Cell(count(finite(row["seeds"])), why="predicted, not run"),
        Cell("predicted" if row["extrapolated"] else "measured"),
    )
