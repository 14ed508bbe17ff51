"""What the page of a `commonsense` record and its captions both read: sets, methods, and what is significant."""

from __future__ import annotations

from wordworth.reports.number_format import finite
from wordworth.reports.record_view import RecordView, Row

TITLES = {"pronouns": "What pronouns stand for", "endings": "How texts end", "pairs": "Which sentence is good"}
"""What each kind of set asks."""
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


def compared_methods(view: RecordView) -> list[Row]:
    """Return the rows of the comparisons of two methods that have a difference."""
    return [row for row in view.rows("differences") if finite(row["difference"]) is not None]


def sets_with_phenomena(view: RecordView) -> list[str]:
    """Return the names of the sets of minimal pairs that have accuracies by phenomenon."""
    return list(dict.fromkeys(str(row["set"]) for row in view.rows("phenomena")))


def chart_of_phenomena(name: str) -> str:
    """Return the name of the chart of phenomena of a set of minimal pairs."""
    return f"phenomena-{name}"


def rows_of_first_method(view: RecordView, name: str) -> list[Row]:
    """Return the rows of the table `phenomena` of one set, for the first method in the table.

    Args:
        view: the record.
        name: name of the set.
    """
    rows = [row for row in view.rows("phenomena") if row["set"] == name]
    return [row for row in rows if row["method"] == rows[0]["method"]]
