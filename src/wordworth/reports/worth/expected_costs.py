"""The table of expected costs: the cost of a thousand texts by each rung, under the user's costs of errors.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from wordworth.reports.charts.palette import key
from wordworth.reports.number_format import finite, money
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.reports.worth.record_view import WorthView

_DECIDED = "each text is given the class of the least expected cost by the rung's probabilities; with its 95 % interval"
_PREDICTED = "each text is given the class that the rung predicts; with its 95 % interval"
_DIFFERENCE = "from the lowest cost at the least expected cost, with an interval of 95 % for all rungs together"


def expected_costs(view: WorthView) -> Grid | None:
    """Return the table of what each rung's errors on a thousand texts cost, with a sentence on the cheapest rung.

    The result is None for a record without the user's costs of errors.
    """
    rows = view.rows("expected_costs")
    if not rows:
        return None
    columns = (
        Column("rung", numeric=False),
        Column("at the least expected cost", note=_DECIDED),
        Column("more than the cheapest", note=_DIFFERENCE),
        Column("as predicted", note=_PREDICTED),
    )
    sentence = " ".join(view.sentences("expected_costs"))
    title = "What a thousand texts cost by the costs of errors"
    return Grid(title, columns, tuple(_cells(view, row) for row in rows), sortable=True, sentence=sentence)


def _cells(view: WorthView, row: Row) -> tuple[Cell, ...]:
    is_cheapest = row["rung"] == row["against"]
    return (
        Cell(view.title(row["rung"]), picture=key(view.style(row["rung"]))),
        _amount(view, row, "decision_cost"),
        Cell("cheapest", 0.0) if is_cheapest else _amount(view, row, "difference"),
        _amount(view, row, "predicted_cost"),
    )


def _amount(view: WorthView, row: Row, name: str) -> Cell:
    value, low, high = (finite(row[each]) for each in (name, f"{name}_low", f"{name}_high"))
    detail = f"{money(low, view.currency)} to {money(high, view.currency)}"
    return Cell(money(value, view.currency), value, detail=detail)
