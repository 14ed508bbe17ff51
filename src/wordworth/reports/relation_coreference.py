"""The section of pronouns on the page of a `relations` record."""

from __future__ import annotations

from wordworth.reports.charts.dot_intervals import DotChart, DotRow
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.reports.figure import Figure
from wordworth.reports.interval_dots import dot_pictures, interval_dots
from wordworth.reports.number_format import interval, share, signed_points
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import plain, with_interval
from wordworth.text_format import signed

_OWN, _RULE, _RANDOM = SeriesStyle(6, "circle"), SeriesStyle(1, "square"), SeriesStyle(2, "triangle")


def coreference_figures(view: RecordView) -> list[Figure]:
    """Return the chart of what heads find of pronouns; none for a record without them."""
    return [_figure(row) for row in view.rows("coreference")]


def _figure(row: Row) -> Figure:
    systems = (
        (_OWN, f"best head, {row['layer']}-{row['head']}", "accuracy", ""),
        (_RULE, str(row["rule"]), "rule_accuracy", "rule_"),
        (_RANDOM, "random weights", "random_accuracy", "random_"),
    )
    comparison = "is ahead of" if row["ahead"] else "is not surely ahead of"
    title = f"For pronouns the best head {comparison} the {row['rule']}"
    chance = (float(row["chance"]), "guessing")
    rows = tuple(DotRow(system[1], *interval_dots(row, (system,), share)) for system in systems)
    chart = DotChart((("", rows),), "share of pronouns whose candidate is found", share, references=(chance,))
    pictures = dot_pictures(chart, "coreference")
    ends = interval(row["gap_low"], row["gap_high"], signed_points)
    measured = f"On {row['sentences']:,} sentences of the half that did not choose."
    notes = (measured, f"Head less rule: {signed(row['gap'])} points ({ends}).")
    cells = [(name, with_interval(row, column, share, prefix=prefix)) for _, name, column, prefix in systems]
    table = plain("Pronouns whose candidate is found", ("", "share"), cells)
    return Figure("coreference", title, f"Shares of pronouns. {title}.", pictures, table, notes)
