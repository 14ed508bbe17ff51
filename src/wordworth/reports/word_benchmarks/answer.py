"""The head of the page: the question, who leads, one large figure for each table."""

from __future__ import annotations

from wordworth.reports.header import Answer
from wordworth.reports.key_figure import KeyFigure
from wordworth.reports.number_format import exact
from wordworth.reports.record_view import Row
from wordworth.reports.word_benchmarks.view import View
from wordworth.text_format import join_words


def answer(view: View) -> Answer:
    """The head of the page."""
    numbers = view.verdict
    question = f"Word benchmarks · {join_words(list(view.labels.values()))}"
    scores = numbers.get("scores", ())
    tiles = (
        tuple(_tile(view, row) for row in scores) if len(scores) > 1 else ()
    )  # for a single table the headline says it all
    sentences = str(numbers.get("over") or view.sentences("verdict")[0])
    return Answer(question, view.made, str(numbers["headline"]), sentences, tiles)


def _tile(view: View, row: Row) -> KeyFigure:
    return KeyFigure(view.labels[row["model"]], exact(row["score"]), interval(row))


def interval(row: Row) -> str:
    """The ends of a 95 % interval; empty if there are none."""
    ends = exact(row["low"]), exact(row["high"])
    return "" if row["low"] is None or row["high"] is None else f"{ends[0]} to {ends[1]}"
