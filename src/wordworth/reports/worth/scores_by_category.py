"""The figure of the lead of context by category of test rows, and the table of every rung's score by category.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
A contextual rung reads words in their context, with a transformer such as MiniLM; a cheap rung does not.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from wordworth.reports.captions import Caption, caption_of
from wordworth.reports.charts import dot_intervals
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import ABSENT, count, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, Column, Grid, plain, table_of, value
from wordworth.reports.worth.record_view import WorthView
from wordworth.sentence_formatting import percent, within

CATEGORIES = "categories"
_READ = (
    "Each row is a category of test texts. A point right of 0 says that the contextual rung scores higher there; where "
    "the whole line lies right of 0, it surely does. The lines are wider than 95 % intervals, so that all of them hold "
    "together. A category whose line is clear of 0 beside one whose line is not does not show that the two differ."
)
_LONGEST = 40


def categories_caption(view: WorthView) -> Caption | None:
    """Return the caption of the figure of categories: in how many of them a contextual rung is significantly ahead.

    The result is None for a record without categories of test rows.
    """
    rows = view.rows("category_gaps")
    if not rows:
        return None
    scored = [row for row in rows if row["answer"]]
    helps, hurts = (sum(row["answer"] == f"context {verb}" for row in scored) for verb in ("helps", "hurts"))
    title = f"Context surely helps in {helps} of {len(scored)} categories"
    notes = (*view.sentences("categories"),)
    absent = "" if scored else "No category has test texts enough to be scored."
    return Caption(f"{title}, and surely hurts in {hurts}" if hurts else title, notes, absent)


def categories_figure(view: WorthView) -> Figure | None:
    """Return the figure of the lead of a contextual rung over a cheap one by category; None without categories."""
    rows = view.rows("category_gaps")
    if not rows:
        return None
    caption = caption_of(view, CATEGORIES)
    if caption.absent:
        return Figure(CATEGORIES, caption.title, "", table=_table(view, rows), absent=caption.absent)
    chart = _chart(view, [row for row in rows if row["answer"]])
    return Figure(
        CATEGORIES,
        caption.title,
        f"The lead of {view.title(rows[0]['contextual'])} by category. {caption.title}.",
        drawn(
            lambda size, label: dot_intervals.draw(chart, size, label), CATEGORIES, height=dot_intervals.height(chart)
        ),
        _table(view, rows),
        caption.notes,
        reading=(_READ,),
    )


def _chart(view: WorthView, rows: list[Row]) -> DotChart:
    axis = f"{view.title(rows[0]['contextual'])} minus {view.title(rows[0]['cheap'])} (points)"
    groups = groupby(rows, key=lambda row: str(row["column"]))
    return DotChart(
        tuple((column, tuple(_dots(view, row) for row in group)) for column, group in groups),
        axis,
        lambda value: view.unit.tick(value) if value <= 0 else f"+{view.unit.tick(value)}",
        include=(0.0,),
        rules=False,
    )


def _dots(view: WorthView, row: Row) -> DotRow:
    gap, low, high = (finite(row[name]) for name in ("gap", "low", "high"))
    lines = f"{view.unit.gap(gap)} ({view.interval(row, signed=True)})", f"{row['answer']}, {count(row['rows'])} texts"
    return DotRow(
        within(str(row["category"]), _LONGEST),
        (Dot(view.style(row["contextual"]), gap, low, high),),
        tuple((None, line) for line in lines),
        strong=row["answer"] != "cannot tell",
    )


def _table(view: WorthView, rows: list[Row]) -> Grid:
    level = next((percent(row["level"], 1) for row in rows if row["answer"]), "")
    fields = (
        (Column("column", numeric=False), lambda row: str(row["column"])),
        (Column("category", numeric=False), lambda row: str(row["category"])),
        (Column("texts"), value("rows", count)),
        (
            Column("lead of context", note="in points"),
            lambda row: Cell(view.unit.gap(finite(row["gap"])), why=_why(row)),
        ),
        (
            Column(f"{level} interval".strip()),
            lambda row: Cell(view.interval(row, signed=True) or ABSENT, why=_why(row)),
        ),
        (Column("answer", numeric=False), lambda row: Cell(str(row["answer"] or ABSENT), why=_why(row))),
    )
    title = f"The lead of {view.title(rows[0]['contextual'])} over {view.title(rows[0]['cheap'])} by category"
    return table_of(title, fields, rows)


def _why(row: Row) -> str:
    return str(row["left_out"] or "")


def category_scores(view: WorthView) -> Grid | None:
    """Return the table of the score of every rung on each category; None for a record without categories."""
    rows = view.rows("categories")
    if not rows:
        return None
    rungs = list(dict.fromkeys(str(row["rung"]) for row in rows))
    lines = list[list[Cell | str]]()
    for (_, category), group in groupby(rows, key=lambda row: (row["column"], str(row["category"]))):
        of_rung = {row["rung"]: row for row in group}
        texts = next(iter(of_rung.values()))["rows"]
        lines.append([category, count(texts), *(_score(view, of_rung[rung]) for rung in rungs)])
    heads = [Column("category", numeric=False), Column("texts"), *(Column(view.title(rung)) for rung in rungs)]
    grid = plain("The score of every rung by category", heads, lines)
    return grid if view.rows("category_gaps") else replace(grid, sentence=" ".join(view.sentences("categories")))


def _score(view: WorthView, row: Row) -> Cell:
    score = finite(row["score"])
    detail = view.interval(row)
    return Cell(view.unit.score(score), score, detail=detail, why="too few of these texts were predicted")
