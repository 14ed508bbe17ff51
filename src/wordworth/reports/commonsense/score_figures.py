"""The charts of a `commonsense` page: share of correct answers by set and method, and comparisons of methods."""

from __future__ import annotations

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts.dot_intervals import Dot, DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.commonsense.record_view import (
    chart_of_scores,
    compared_methods,
    is_above_guessing,
    is_sure,
    kinds_of_sets,
)
from wordworth.reports.dots_from_rows import dot_pictures
from wordworth.reports.figure import Figure
from wordworth.reports.number_format import count, exact, finite, interval, share, signed_points
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval

_OWN, _RULE, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(1, "square"), SeriesStyle(2, "triangle")


def score_figure(view: RecordView, kind: str) -> Figure:
    """Return the chart of accuracy on all data sets of one kind, with all methods and baselines.

    Baselines are simple rules, controls, random weights, and guessing.

    Args:
        view: the record.
        kind: the kind whose sets are drawn.
    """
    name_of_chart, names = chart_of_scores(kind), [name for name, own in kinds_of_sets(view).items() if own == kind]
    rows = {name: [row for row in view.rows("scores") if row["set"] == name] for name in names}
    groups = tuple((f"{name} · {_most(rows[name])} items", tuple(map(_row, rows[name]))) for name in names)
    chart = DotChart(groups, "share of right answers", share, legend=True, references=())
    pictures = dot_pictures(chart, name_of_chart)
    table = _score_table([row for name in names for row in rows[name]])
    return captioned_figure(view, name_of_chart, "Shares of right answers.", pictures, table)


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


def difference_figure(view: RecordView) -> Figure:
    """Return the chart of the differences in accuracy between two methods on the same items, first minus second."""
    rows = compared_methods(view)
    if not rows:
        return captioned_figure(view, "differences")
    names = list(dict.fromkeys(str(row["set"]) for row in rows))
    groups = tuple((name, tuple(_comparison(row) for row in rows if row["set"] == name)) for name in names)
    chart = DotChart(groups, "difference in points", signed_points)
    pictures = dot_pictures(chart, "differences")
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
    return captioned_figure(view, "differences", "Differences of accuracy.", pictures, table)


def _comparison(row: Row) -> DotRow:
    dot = Dot(_OWN, finite(row["difference"]), finite(row["low"]), finite(row["high"]))
    ends = interval(row["low"], row["high"], signed_points)
    title = f"{row['method']} less {row['other']}"
    described = ((_OWN, f"{signed_points(row['difference'])} points, {ends}"),)
    name = f"{row['method']} − {row['other']}"
    short = name.replace(" pronoun", "").replace(" candidate", "").replace("likelihood within", "within")
    return DotRow(name, (dot,), described, title=title, short=short, strong=is_sure(row))
