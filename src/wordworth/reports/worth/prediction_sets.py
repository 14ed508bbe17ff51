"""The table of prediction sets: how often they contain the correct class, and how large they are.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from wordworth.reports.charts.palette import key
from wordworth.reports.number_format import share, two_decimals
from wordworth.reports.tables import Cell, Column, Grid, with_interval
from wordworth.reports.worth.record_view import WorthView
from wordworth.sentence_formatting import percent


def prediction_sets(view: WorthView) -> Grid | None:
    """Return the table of how often each rung's prediction sets contain the correct class, and of the sets' mean size.

    A prediction set is a set of classes that are plausible for a text. The result is None for a record without sets.
    """
    rows = view.rows("prediction_sets")
    if not rows:
        return None
    level = percent(rows[0]["level"])
    columns = (
        Column("rung", numeric=False),
        Column(
            "sets with the right class", note=f"share of the test texts, with its 95 % interval; made to be {level}"
        ),
        Column("classes in a set", note="mean over the test texts; fewer are better"),
        Column("sets of one class", note="share of the test texts that need no second look"),
    )
    cells = tuple(
        (
            Cell(view.title(row["rung"]), picture=key(view.style(row["rung"]))),
            with_interval(row, "coverage", share, prefix="coverage_"),
            Cell(two_decimals(row["size"]), row["size"]),
            Cell(share(row["single"]), row["single"]),
        )
        for row in rows
    )
    return Grid(
        f"Prediction sets: the classes that a text may have, made to hold the right one in {level} of texts",
        columns,
        cells,
        sortable=True,
    )
