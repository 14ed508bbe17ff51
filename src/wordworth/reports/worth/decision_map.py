"""The decision map: the verdict at every number of labels, and the cheapest rung it allows at every volume."""

from __future__ import annotations

from wordworth.reports.charts import decision_map
from wordworth.reports.charts.decision_map import Grid as Map
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import finite, money, short_count
from wordworth.reports.tables import Grid, plain
from wordworth.reports.worth.view import WorthView
from wordworth.text_format import inline_title

NAME = "decision"
_HATCHED = "Hatched: what was measured cannot tell whether a cheap rung is good enough with this many labels."


def figure(view: WorthView) -> Figure:
    """The chart, the sentence that says what every cell of it would, or the reason for its absence."""
    if not view.decision:
        absent = "The decision map needs the timings of the rungs, and this record holds none."
        return Figure(NAME, "No decision map", "", absent=absent)
    grid, caption = _grid(view), view.caption(NAME, "The cheapest rung that is good enough")
    if view.map_is_uniform:
        absent = caption.absent or "The same is true at every number of labels and texts, so there is no map to draw."
        return Figure(NAME, caption.title, "", table=_table(grid), notes=caption.notes, absent=absent)
    doubtful = view.has_context and any(is_open for row in grid.uncertain for is_open in row)
    return Figure(
        NAME,
        caption.title,
        f"A map over number of labels and texts a month. {caption.title}.",
        drawn(lambda size, label: decision_map.draw(grid, size, label), NAME, height=400),
        _table(grid),
        (*caption.notes, *((_HATCHED,) if doubtful else ())),
    )


def _grid(view: WorthView) -> Map:
    decision, uncertain = view.decision, view.uncertain
    labels, texts = (tuple(float(value) for value in decision[name]) for name in ("labels", "texts_per_month"))
    rungs = tuple(tuple(row) for row in decision["rung"])
    costs = decision.get("total_cost")

    def describe(row: int, column: int) -> tuple[str, ...]:
        cost = finite(costs[row][column]) if costs else None
        name = view.title(rungs[row][column]) if rungs[row][column] else "no rung"
        is_open = uncertain[row][column] and rungs[row][column]
        first = f"{decision_map.OPEN_NAME}; of those near the best score, the cheapest: {name}" if is_open else name
        return (first,) if cost is None else (first, f"total {money(cost, view.currency)}")

    names = {rung: inline_title(view.title(rung)) for row in rungs for rung in row if rung}
    return Map(
        labels=labels,
        texts=texts,
        rung=rungs,
        uncertain=tuple(tuple(bool(is_open) for is_open in row) for row in uncertain),
        names=names,
        styles={rung: view.style(rung) for rung in names},
        describe=describe,
        here=view.top,
    )


def _table(grid: Map) -> Grid:
    heads = ["texts a month", *(f"{labels:,.0f} labels" for labels in grid.labels)]
    rows = []
    for row, texts in enumerate(grid.texts):
        cells = [", ".join(grid.describe(row, column)) for column in range(len(grid.labels))]
        rows.append([short_count(texts), *cells])
    return plain("The cheapest rung that is good enough, by texts a month and labels", heads, rows, numeric=False)
