"""The charts of a `commonsense` page: share of correct answers by set and method, and comparisons of methods."""

from __future__ import annotations

from wordworth.reports.captions import caption_of
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.dots_from_rows import dot_pictures
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import count, exact, finite, interval, share, signed_points
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval

TITLES = {"pronouns": "What pronouns stand for", "endings": "How texts end", "pairs": "Which sentence is good"}
"""What each kind of set asks."""
_OWN, _RULE, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(1, "square"), SeriesStyle(2, "triangle")
_LEVEL = 0.05


def is_sure(row: Row) -> bool:
    """Return whether a difference is significant, after correction for all that were tested with it."""
    return (finite(row["corrected"]) or 0.0) <= _LEVEL


def is_above_guessing(row: Row) -> bool:
    """Return whether a row of `scores` is of a method, not a rule or control, that is surely above guessing."""
    return not row["control"] and is_sure(row)


def kinds_of_sets(view: RecordView) -> dict[str, str]:
    """Return name of a data set -> its kind: `pronouns`, `endings` or `pairs` (minimal pairs)."""
    return {row["set"]: str(row["kind"]) for row in view.rows("sets")}


def chart_of_scores(kind: str) -> str:
    """Return the name of the chart of scores on the data sets of one kind."""
    return f"scores-{kind}"


def score_figure(view: RecordView, kind: str) -> Figure:
    """Return the chart of accuracy on all data sets of one kind, with all methods and baselines.

    Baselines are simple rules, controls, random weights, and guessing.

    Args:
        view: the record.
        kind: the kind whose sets are drawn.
    """
    name_of_chart, names = chart_of_scores(kind), [name for name, own in kinds_of_sets(view).items() if own == kind]
    caption = caption_of(view, name_of_chart)
    rows = {name: [row for row in view.rows("scores") if row["set"] == name] for name in names}
    groups = tuple((f"{name} · {_most(rows[name])} items", tuple(map(_row, rows[name]))) for name in names)
    chart = DotChart(groups, "share of right answers", share, legend=True, references=())
    pictures, text = dot_pictures(chart, name_of_chart), f"Shares of right answers. {caption.title}."
    table = _score_table([row for name in names for row in rows[name]])
    return Figure(name_of_chart, caption.title, text, pictures, table, caption.notes)


def _most(rows: list[Row]) -> str:
    return count(max((float(row["items"]) for row in rows), default=0))


def _row(row: Row) -> DotRow:
    rule = "a rule or control"
    series = [(_RULE, rule, rule, "") if row["control"] else (_OWN, str(row["method"]), "model", "")]
    if finite(row["random_accuracy"]) is not None:
        series.append((_RANDOM, "random weights", "random weights", "random_"))
    chance = finite(row["chance"])
    dots = tuple(
        Dot(
            look,
            finite(row[f"{prefix}accuracy"]),
            finite(row[f"{prefix}low"]),
            finite(row[f"{prefix}high"]),
            null=chance if not prefix else None,
            name=legend,
        )
        for look, _, legend, prefix in series
    )
    described = tuple(
        (
            look,
            f"{label} {share(row[f'{prefix}accuracy'])}, {interval(row[f'{prefix}low'], row[f'{prefix}high'], share)}",
        )
        for look, label, _, prefix in series
    )
    words = ((None, f"guessing {share(row['chance'])}, {count(row['items'])} items"),)
    return DotRow(str(row["method"]), dots, described + words, strong=is_above_guessing(row))


def _score_table(rows: list[Row]) -> Grid:
    heads = (
        "set",
        Column("method", numeric=False),
        Column("items", note="that the method answers"),
        Column("accuracy", note="with its exact 95 % interval"),
        Column("guessing"),
        Column("p", note="that guessing has as many right; corrected for all methods and sets (Holm)"),
        Column("random weights", note="with its exact 95 % interval"),
    )
    cells = [
        (
            str(row["set"]),
            str(row["method"]),
            Cell(count(row["items"]), row["items"]),
            with_interval(row, "accuracy"),
            Cell(exact(row["chance"]), row["chance"]),
            _p_value(row),
            with_interval(row, "random_accuracy", prefix="random_", why="not asked of random weights"),
        )
        for row in rows
    ]
    return plain("Shares of right answers", heads, cells)


def _p_value(row: Row) -> Cell:
    corrected = finite(row["corrected"])
    if corrected is None:
        return Cell(exact(None), why="a rule or control, not tested")
    return Cell("under 0.001" if corrected < 0.001 else exact(corrected), corrected)  # noqa: PLR2004 - three decimals


def compared_methods(view: RecordView) -> list[Row]:
    """Return the rows of the comparisons of two methods that have a difference."""
    return [row for row in view.rows("differences") if finite(row["difference"]) is not None]


def difference_figure(view: RecordView) -> Figure:
    """Return the chart of the differences in accuracy between two methods on the same items, first minus second."""
    caption, rows = caption_of(view, "differences"), compared_methods(view)
    if caption.absent:
        return Figure("differences", caption.title, "", notes=caption.notes, absent=caption.absent)
    names = list(dict.fromkeys(str(row["set"]) for row in rows))
    groups = tuple((name, tuple(_comparison(row) for row in rows if row["set"] == name)) for name in names)
    chart = DotChart(groups, "difference in points", signed_points)
    pictures, text = dot_pictures(chart, "differences"), f"Differences of accuracy. {caption.title}."
    heads = ("set", Column("first", numeric=False), Column("second", numeric=False), "items", "points", "p")
    cells = [
        (
            str(row["set"]),
            str(row["method"]),
            str(row["other"]),
            Cell(count(row["items"]), row["items"]),
            with_interval(row, "difference", signed_points),
            _p_value(row),
        )
        for row in rows
    ]
    table = plain("The first method less the second", heads, cells)
    return Figure("differences", caption.title, text, pictures, table, caption.notes)


def _comparison(row: Row) -> DotRow:
    dot = Dot(_OWN, finite(row["difference"]), finite(row["low"]), finite(row["high"]))
    ends = interval(row["low"], row["high"], signed_points)
    title = f"{row['method']} less {row['other']}"
    described = ((_OWN, f"{signed_points(row['difference'])} points, {ends}"),)
    name = f"{row['method']} − {row['other']}"
    short = name.replace(" pronoun", "").replace(" candidate", "").replace("likelihood within", "within")
    return DotRow(name, (dot,), described, title=title, short=short, strong=is_sure(row))
