"""The table of abstention: the score of each rung on the share of texts for which it is most confident.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from wordworth.reports.charts.palette import key
from wordworth.reports.number_format import ABSENT, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid
from wordworth.reports.worth.record_view import WorthView
from wordworth.sentence_formatting import percent


def abstention(view: WorthView) -> Grid | None:
    """Return the table of each rung's score if it answers only a share of the test texts: its most confident ones.

    The table has a row for each rung, and a column for each share, such as 80 %. The result is None for a record
    without such scores.
    """
    rows = view.rows("abstention")
    if not rows:
        return None
    shares = list(dict.fromkeys(row["share"] for row in rows))
    note = f"{view.unit.title} on this share of the test texts, with its 95 % interval over texts and runs"
    columns = (Column("rung", numeric=False), *(Column(percent(share), note=note) for share in shares))
    by_cell = {(row["rung"], row["share"]): row for row in rows}
    lines = tuple(
        (
            Cell(view.title(rung), picture=key(view.style(rung))),
            *(_cell(view, by_cell.get((rung, share))) for share in shares),
        )
        for rung in dict.fromkeys(row["rung"] for row in rows)
    )
    title = f"{view.unit.opening} where a rung answers only the share of texts that it is surest of"
    return Grid(title, columns, lines, sortable=True)


def _cell(view: WorthView, row: Row | None) -> Cell:
    score = None if row is None else finite(row["score"])
    if row is None or score is None:
        return Cell(ABSENT, why="not measured")
    return Cell(view.unit.score(score), score, detail=view.unit.interval(finite(row["low"]), finite(row["high"])))
