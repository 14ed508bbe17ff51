"""The table of a `languages` record that compares learning from labels of related and of distant languages."""

from __future__ import annotations

from collections.abc import Iterator

from wordworth.reports.number_format import count, in_points, signed_points
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import Column, Field, Grid, table_of, value, with_interval


def table(view: RecordView) -> Iterator[Grid]:
    """Yield the table of accuracy by language after learning from labels of related and of distant languages.

    Nothing is yielded for a record without such comparisons.
    """
    if not view.rows("related"):
        return
    fields: list[Field] = [
        (Column("language", numeric=False), lambda row: str(row["language"])),
        (Column("genus", numeric=False), lambda row: str(row["genus"])),
        (
            Column("related labels, %", note="of another language of the genus"),
            lambda row: with_interval(row, "related", in_points, prefix="related_"),
        ),
        (
            Column("distant labels, %", note="of a language of another family"),
            lambda row: with_interval(row, "distant", in_points, prefix="distant_"),
        ),
        (Column("change"), lambda row: with_interval(row, "change", signed_points, prefix="change_")),
        (
            Column("of n-grams of characters"),
            lambda row: with_interval(row, "characters", signed_points, prefix="characters_"),
        ),
        (Column("of random weights"), lambda row: with_interval(row, "random", signed_points, prefix="random_")),
        (Column("related languages"), value("num_related", count)),
        (Column("distant languages"), value("num_distant", count)),
    ]
    yield table_of("Labels of related and of distant languages", fields, view.rows("related"))
