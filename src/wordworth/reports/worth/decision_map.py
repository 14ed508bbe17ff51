"""The decision map: the verdict at every number of labels, and the cheapest rung it allows at every volume."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from wordworth.reports.charts import decision_map
from wordworth.reports.charts.decision_map import Grid as Map
from wordworth.reports.charts.decision_map import short_count
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import count, figures, finite, money
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Grid, plain
from wordworth.reports.worth.view import Study
from wordworth.text_format import inline_title, join_words

NAME = "decision"
_NO_RUNG = "no rung"


def figure(study: Study) -> Figure:
    """The chart with its finding as title, or the reason for its absence."""
    decision = study.plain["timings"].get("decision") or {}
    if not decision.get("rung") or not any(rung for row in decision["rung"] for rung in row):
        absent = "The decision map needs the timings of the rungs, and this record holds none."
        return Figure(NAME, "No decision map", "", absent=absent)
    grid = _grid(study, decision)
    title = _title(study, grid)
    notes = (_note(study, grid, finite(decision.get("months"))), *_unmeasured(study, grid))
    if same := _same(study, grid):
        return Figure(NAME, title, "", table=_table(grid), notes=notes, absent=same)
    return Figure(
        NAME,
        title,
        f"A map over number of labels and texts a month. {title}.",
        drawn(lambda size, label: decision_map.draw(grid, size, label), NAME, height=400),
        _table(grid),
        notes,
    )


def _grid(study: Study, decision: Row) -> Map:
    labels, texts = (tuple(float(value) for value in decision[name]) for name in ("labels", "texts_per_month"))
    uncertain = decision.get("uncertain") or [[False] * len(labels)] * len(texts)
    rungs = tuple(tuple(row) for row in decision["rung"])
    costs = decision.get("total_cost")

    def describe(row: int, column: int) -> tuple[str, ...]:
        cost = finite(costs[row][column]) if costs else None
        name = study.title(rungs[row][column]) if rungs[row][column] else _NO_RUNG
        is_open = uncertain[row][column] and rungs[row][column]
        lines = [f"{decision_map.OPEN_NAME}; {_near(study)}, the cheapest: {name}" if is_open else name]
        if cost is not None:
            lines.append(f"total {money(cost, study.currency)}")
        return tuple(lines)

    names = {rung: inline_title(study.title(rung)) for row in rungs for rung in row if rung}
    return Map(
        labels=labels,
        texts=texts,
        rung=rungs,
        uncertain=tuple(tuple(bool(is_open) for is_open in row) for row in uncertain),
        names=names,
        styles={rung: study.look(rung) for rung in names},
        describe=describe,
        here=study.top,
    )


def _title(study: Study, grid: Map) -> str:
    """What the map says at the reader's own number of labels, from few texts to many."""
    column = _own_column(grid)
    turns = [
        (rung, [at for at, _ in group]) for rung, group in groupby(_column(grid, column), key=lambda pair: pair[1])
    ]
    labels = f"With {count(grid.labels[column])} labels"
    names = [inline_title(study.title(rung)) if rung else _NO_RUNG for rung, _ in turns]
    if all(row[column] for row in grid.uncertain):
        preface = " it cannot be told yet which rung is good enough;" if study.has_context else ","
        return f"{labels}{preface} {_near(study)}, the cheapest is {_steps(turns, names)}"
    if len(turns) == 1 and study.verdict.get("answer") == "contextual is worth it":
        return f"{labels}, context is worth it at any volume: {names[0]}"
    if len(turns) == 1:
        return f"{labels}, {names[0]} is the cheapest that is good enough, at any volume"
    return f"{labels}, the cheapest that is good enough is {_steps(turns, names)}"


def _steps(turns: Sequence[tuple[str | None, Sequence[float]]], names: Sequence[str]) -> str:
    """The cheapest rung, or each one up to the volume where the next takes over."""
    steps = [
        f"{name} up to {short_count(at[-1])} texts a month" for name, (_, at) in zip(names, turns[:-1], strict=False)
    ]
    return f"{', '.join(steps)}, then {names[-1]}" if steps else names[-1]


def _near(study: Study) -> str:
    """The rungs among which cost decides if the answer is open: those near the best score, the best included."""
    epsilon = finite(study.verdict.get("epsilon"))
    margin = "near" if epsilon is None else f"within {study.unit.size(epsilon)} of"
    return f"of those {margin} the best score"


def _same(study: Study, grid: Map) -> str:
    """What every cell says if all say the same: then a map would show nothing."""
    if all(is_open for row in grid.uncertain for is_open in row):
        if not study.has_context:
            return "The map sets cheap rungs against those that read context, and none of these was measured."
        return "It cannot be told yet at any number of labels and texts a month, so there is no map to draw."
    rungs = {rung for row in grid.rung for rung in row}
    if len(rungs) > 1 or any(is_open for row in grid.uncertain for is_open in row):
        return ""
    name = inline_title(study.title(next(iter(rungs))))
    return f"{name} is named at every number of labels and texts a month, so there is no map to draw."


def _own_column(grid: Map) -> int:
    """The last column that the reader's number of labels reaches."""
    here = grid.here or grid.labels[-1]
    return max((index for index, labels in enumerate(grid.labels) if labels <= here * 1.001), default=0)


def _column(grid: Map, column: int) -> list[tuple[float, str | None]]:
    return [(texts, row[column]) for texts, row in zip(grid.texts, grid.rung, strict=True)]


def _note(study: Study, grid: Map, months: float | None) -> str:
    epsilon = finite(study.verdict.get("epsilon"))
    margin = f"within {study.unit.size(epsilon)} of the best" if epsilon is not None else "near enough to the best"
    span = "" if months is None else f" of {figures(months)} months"
    cheapest = f"“Cheapest” counts labels, training and answering the texts{span}"
    costs = f"{cheapest}; within 1 % of each other, costs count as equal."
    if not study.has_context:
        return costs
    hatched = (
        " Hatched: what was measured cannot tell whether a cheap rung is good enough with this many labels."
        if any(is_open for row in grid.uncertain for is_open in row) and not _same(study, grid)
        else ""
    )
    rule = f"The verdict's rule, applied at every number of labels: “good enough” is surely {margin}"
    return f"{rule}; where only context is, its rung. {costs}{hatched}"


def _unmeasured(study: Study, grid: Map) -> tuple[str, ...]:
    """The rungs that were measured in only some columns of the map."""
    sizes: dict[str, set[int]] = {}
    for row in study.rows("curve"):
        if not row["extrapolated"] and finite(row["score"]) is not None:
            sizes.setdefault(str(row["rung"]), set()).add(int(row["labels"]))
    columns = {int(labels) for labels in grid.labels}
    partly = {rung: sorted(labels & columns) for rung, labels in sizes.items() if columns - labels and labels & columns}
    return tuple(
        f"{inline_title(study.title(rung))} was measured with {join_words([count(size) for size in labels])} labels "
        "only; the other columns choose among the rest."
        for rung, labels in partly.items()
        if not study.is_floor(rung)
    )


def _table(grid: Map) -> Grid:
    heads = ["texts a month", *(f"{labels:,.0f} labels" for labels in grid.labels)]
    rows = []
    for row, texts in enumerate(grid.texts):
        cells = [", ".join(grid.describe(row, column)) for column in range(len(grid.labels))]
        rows.append([short_count(texts), *cells])
    return plain("The cheapest rung that is good enough, by texts a month and labels", heads, rows, numeric=False)
