"""Which classes the best model confuses: a matrix if there are few classes, the most frequent mistakes if many."""

from __future__ import annotations

from wordworth.reports.charts import confusion_matrix
from wordworth.reports.charts.confusion_matrix import Matrix
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.finetune.view import View
from wordworth.reports.number_format import count, finite
from wordworth.reports.tables import Cell, Column, Grid, plain

NAME = "confusion"
_MOST = 16
_LISTED = 40


def figure(view: View) -> Figure | None:
    """The matrix; a table of mistakes for more than sixteen classes; None for kinds without classes."""
    rows = view.rows("confusion")
    if not rows:
        return None
    wrong = sorted((row for row in rows if row["gold"] != row["predicted"]), key=lambda row: -row["count"])
    title = _title(view, wrong)
    mistakes = [(str(row["gold"]), str(row["predicted"]), count(row["count"])) for row in wrong[:_LISTED]]
    listed = plain("Mistakes, the most frequent first", ("gold", "predicted", "count"), mistakes)
    names = tuple(str(row["name"]) for row in view.rows("classes"))
    others = [name for row in rows for name in (str(row["gold"]), str(row["predicted"])) if name not in names]
    names = (*names, *dict.fromkeys(others))
    if len(names) > _MOST:
        absent = f"{len(names)} classes are too many for a matrix; the mistakes are in the table."
        return Figure(NAME, title, "", table=listed, absent=absent)
    counts = {(row["gold"], row["predicted"]): int(row["count"]) for row in rows}
    data = Matrix(names, [[counts.get((gold, predicted), 0) for predicted in names] for gold in names])
    text = f"Counts of gold labels against predictions, {len(names)} classes. {title}."
    picture = drawn(
        lambda size, label: confusion_matrix.draw(data, size, label), NAME, height=confusion_matrix.height(data)
    )
    note = "Of the best model, on the test part. Colour is the share of a row: blue is right, orange is wrong."
    if view.task_type.labels_words:
        note += " An entity counts at its exact first and last word."
    return Figure(NAME, title, text, picture, listed, (note,))


def _title(view: View, wrong: list) -> str:  # type: ignore[type-arg]  # rows of a record
    if not wrong:
        return "No class is confused with another"
    worst = wrong[0]
    times = f"{count(worst['count'])} time{'s' if worst['count'] != 1 else ''}"
    if view.task_type.labels_words and worst["predicted"] == "no entity":
        return f"The most frequent error: {worst['gold']} is overlooked, {times}"
    if view.task_type.labels_words and worst["gold"] == "no entity":
        return f"The most frequent error: {worst['predicted']} where there is none, {times}"
    return f"The most frequent error: “{worst['gold']}” taken for “{worst['predicted']}”, {times}"


def classes(view: View) -> Grid | None:
    """Precision, recall and F1 of every class; None for kinds without classes."""
    rows = view.rows("classes")
    if not rows:
        return None
    columns = (
        Column("class", numeric=False),
        Column("precision", note="share of its predictions that are right"),
        Column("recall", note="share of its examples that are predicted"),
        Column("F1"),
        Column("gold"),
        Column("predicted"),
    )
    lines = tuple(
        (
            Cell(str(row["name"])),
            *(_share(finite(row[name])) for name in ("precision", "recall", "f1")),
            *(Cell(count(row[name]), row[name]) for name in ("gold", "predicted")),
        )
        for row in rows
    )
    return Grid("Each class, on the test part", columns, lines, sortable=True)


def _share(value: float | None) -> Cell:
    return Cell("–" if value is None else f"{100 * value:.1f}", value, why="never predicted or never gold")
