"""The page of a `commonsense` record: accuracy by data set and method, compared with guessing, and examples.

The page also has paired comparisons of methods, and accuracy by grammatical phenomenon.
"""

from __future__ import annotations

from collections.abc import Callable

from wordworth.records import Record
from wordworth.reports.commonsense.minimal_pair_figures import paradigm_tables, phenomenon_figure
from wordworth.reports.commonsense.record_view import TITLES, kinds_of_sets, sets_with_phenomena
from wordworth.reports.commonsense.score_figures import difference_figure, score_figure
from wordworth.reports.number_format import count, exact, finite, share
from wordworth.reports.page import simple_page, sources
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, CellMakers, Column, Grid, row_table, value, with_interval


def page(record: Record) -> str:
    """Return the page of a `commonsense` record as one self-contained HTML document."""
    view = RecordView.of(record)
    kinds = kinds_of_sets(view)
    groups = [(title, [score_figure(view, kind)]) for kind, title in TITLES.items() if kind in kinds.values()]
    if names := sets_with_phenomena(view):
        groups.append(("Phenomena", [phenomenon_figure(view, name) for name in names]))
    groups.append(("Comparisons", [difference_figure(view)]))
    tables = [_sets(view), *_filtering(view), *_examples(view), *paradigm_tables(view), sources(view)]
    question = f"Common sense and grammar without training · {view.data['model']} · {view.data['name']}"
    return simple_page(record, str(view.verdict["headline"]), groups, tables, question=question)


def _sets(view: RecordView) -> Grid:
    cells: CellMakers = {
        "set": "set",
        "items": value("items", count),
        "guessing": value("chance", share),
        Column(
            "interval ±", note="half of the exact 95 % interval of a method that is right as often as guessing"
        ): value("half_width", share),
        Column(
            "beyond guessing from", note="the smallest share of right items that guessing reaches in at most 5 %"
        ): value("needed", share, why="no share would do"),
        Column("usually found from", note="a method that is right so often reaches that in 80 % of cases"): value(
            "detectable", share, why="no share would do"
        ),
    }
    return row_table("What each set can show, for one method tested alone", cells, view.rows("sets"))


def _filtering(view: RecordView) -> list[Grid]:
    """Return the table of rounds of adversarial filtering, in a list that is empty if there were no rounds."""
    rows = view.rows("filtering")
    cells: CellMakers = {
        "set": "set",
        "round": value("round", count),
        "items": value("items", count),
        "told from the machine's": lambda row: with_interval(row, "accuracy", share),
        "guessing": value("chance", share),
        "replaced": value("replaced", count),
    }
    return [row_table("Adversarial filtering: human endings that the discriminator finds", cells, rows)] if rows else []


def _examples(view: RecordView) -> list[Grid]:
    """Return the table of examples of pronouns and endings, in a list that is empty if the record has no examples."""
    rows = view.rows("examples")
    if not rows:
        return []
    cells: dict[str | Column, str | Callable[[Row], Cell | str]] = {
        "text": "text",
        "right": "answer",
        "wrong": "others",
    }
    if any(row["likelihood"] for row in rows):
        cells["likelihood"] = "likelihood"
    if any(finite(row["attention_share"]) is not None for row in rows):
        cells["attention"] = _attention
    return [row_table("Items drawn at random, and what is chosen", cells, rows, words=tuple(map(str, cells)))]


def _attention(row: Row) -> Cell:
    share_of_right = finite(row["attention_share"])
    if share_of_right is None:
        return Cell(
            str(row["attention"]) or exact(None), why="" if row["attention"] else "not where attention can reach it"
        )
    return Cell(str(row["attention"]), detail=f"score of the right one {exact(share_of_right)}")
