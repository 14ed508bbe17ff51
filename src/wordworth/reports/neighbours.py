"""The page of a `neighbours` record: the nearest words in their contexts, and the properties that they share."""

from __future__ import annotations

from wordworth.records import Record
from wordworth.reports.number_format import exact, finite, share
from wordworth.reports.page import simple_page
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid, plain, with_interval

_LEAST = 0.001
"""p-values below are written as below."""


def page(record: Record) -> str:
    """Return the page of a `neighbours` record as one self-contained HTML document."""
    view = RecordView.of(record)
    question = f"Nearest contexts · {view.data['model']} · {view.data['sentence']}"
    return simple_page(record, str(view.verdict["headline"]), (), [_contexts(view), _common(view)], question=question)


def _contexts(view: RecordView) -> Grid:
    rows = view.rows("contexts")
    extra = [
        (name, title)
        for name, title in (("relation", "relation"), ("attends_to", "attends to"))
        if any(row.get(name) is not None for row in rows)
    ]
    heads: tuple[str | Column, ...] = (
        "rank",
        Column("cosine", note="after the mean of all vectors is subtracted"),
        Column("before", numeric=False),
        Column("word", numeric=False),
        Column("after", numeric=False),
        *(Column(title, numeric=False) for _, title in extra),
    )
    cells = [
        (
            str(row["rank"]),
            exact(finite(row["cosine"])),
            str(row["before"]),
            str(row["form"]),
            str(row["after"]),
            *(str(row[name]) for name, _ in extra),
        )
        for row in rows
    ]
    return plain("The nearest words in their contexts", heads, cells)


def _common(view: RecordView) -> Grid:
    heads = (
        Column("property", numeric=False),
        "of the nearest",
        "of the corpus",
        Column("of the nearest by the input layer", note="which knows the word and its place, but no context"),
        Column("by random weights", note="of the same shape, which mix the words of a text but learned nothing"),
        Column("p", note="by chance, corrected for all properties of the corpus"),
    )
    return plain("What they have in common", heads, [_property(row) for row in view.rows("common")])


def _property(row: Row) -> tuple[Cell, ...]:
    nearest = with_interval(row, "share", share)
    return (
        Cell(f"{row['kind']}: {row['value']}"),
        nearest,
        Cell(share(row["corpus_share"]), row["corpus_share"]),
        Cell(share(row["input_share"]), row["input_share"]),
        Cell(share(row["random_share"]), row["random_share"]),
        Cell("under 0.001" if row["p"] < _LEAST else exact(row["p"]), row["p"]),
    )
