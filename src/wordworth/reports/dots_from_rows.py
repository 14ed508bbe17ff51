"""Dots of a chart, and lines of its tooltips, from the values and intervals in a row of a record's table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from wordworth.reports.charts import dot_intervals
from wordworth.reports.charts.axes import Drawing
from wordworth.reports.charts.dot_intervals import Described, Dot, DotChart
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.figure import drawn
from wordworth.reports.number_format import finite, interval
from wordworth.reports.record_view import Row

_PUBLISHED = SeriesStyle(7, "diamond")


def dot_pictures(chart: DotChart, name: str) -> tuple[Drawing, ...]:
    """Draw a chart of dots for a wide page and for a phone, as high as its rows need.

    Args:
        chart: data of the chart.
        name: name of the figure.
    """
    return drawn(partial(dot_intervals.draw, chart), name, height=dot_intervals.height(chart))


def interval_dots(
    row: Row, series: Sequence[tuple[SeriesStyle, str, str, str]], write: Callable[[object], str]
) -> tuple[tuple[Dot, ...], Described]:
    """Return the dots with intervals that a chart draws for one row of a table, and the lines of their tooltip.

    Args:
        row: row of a record's table.
        series: for each dot its style, its name, the column of its value, and the prefix of the columns `low` and
            `high` of its interval.
        write: function that formats a value.
    """
    dots = tuple(
        Dot(style, finite(row[column]), finite(row[f"{prefix}low"]), finite(row[f"{prefix}high"]), name=name)
        for style, name, column, prefix in series
    )
    described = tuple(
        (style, f"{name} {write(row[column])}, {interval(row[f'{prefix}low'], row[f'{prefix}high'], write)}")
        for style, name, column, prefix in series
    )
    return dots, described


def joined(
    pairs: Sequence[tuple[tuple[Dot, ...], Described]],
) -> tuple[tuple[Dot, ...], Described]:
    """Join several results of `interval_dots` and `published_dot` into the dots and tooltip lines of one row."""
    return tuple(dot for dots, _ in pairs for dot in dots), tuple(line for _, words in pairs for line in words)


def published_dot(row: Row, write: Callable[[object], str]) -> tuple[tuple[Dot, ...], Described]:
    """Return the hollow dot of a published value, and its tooltip line; both empty if the row has no published value.

    Args:
        row: row of a record's table, with a column `published`.
        write: function that formats a value.
    """
    if (value := finite(row["published"])) is None:
        return (), ()
    return (Dot(_PUBLISHED, value, name="published", hollow=True),), ((_PUBLISHED, f"published {write(value)}"),)
