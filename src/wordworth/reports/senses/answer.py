"""The head of the page: the question, the answer, one large figure for each set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordworth.records import best_rows
from wordworth.reports.key_figure import KeyFigure
from wordworth.reports.number_format import count, finite, unit
from wordworth.reports.record_view import Row
from wordworth.reports.senses.view import View, layers
from wordworth.reports.tables import Cell, Column, Grid

_POINTS = unit("accuracy")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer as a line and as sentences, its figures, and the data sets."""

    asked: str
    made: str
    headline: str
    sentences: tuple[str, ...]
    tiles: tuple[KeyFigure, ...]
    sets: Grid


def answer(view: View) -> Answer:
    """The head of the page."""
    finding = view.findings("verdict")[0]
    names = ", ".join(str(row["model"]) for row in view.models)
    question = f"Word senses · {names} · {view.data['name']}"
    numbers = finding["numbers"]
    tiles = [_tagged(view, row, numbers["tagged"]) for row in best_rows(numbers["tagged"], "data", "score")]
    tiles += [_pairs(row, numbers["pairs"]) for row in best_rows(numbers["pairs"], "data", "test")]
    return Answer(
        question,
        view.made,
        str(numbers["headline"]),
        tuple(str(finding["text"]).split("\n")),
        tuple(tiles),
        _sets(view),
    )


def _tagged(view: View, row: Row, rows: Sequence[Row]) -> KeyFigure:
    usual = f"most frequent sense {_POINTS.score(view.usual(row['data'])['score'])}"
    return _tile(row, "score", layers(row), _others(row, rows, "score"), usual)


def _pairs(row: Row, rows: Sequence[Row]) -> KeyFigure:
    return _tile(
        row, "test", f"layer {row['layer']}", _others(row, rows, "test"), f"chance {_POINTS.score(row['chance'])}"
    )


def _tile(row: Row, metric: str, layer: str, others: Sequence[str], rival: str) -> KeyFigure:
    """The best model's figure; below it its interval and layer, the other models and the baseline without vectors."""
    under = "; ".join(filter(None, (_POINTS.interval(row["low"], row["high"]), layer, *others, rival)))
    return KeyFigure(f"{row['data']}, {row['model']}: % right", _POINTS.score(row[metric]), under)


def _others(best: Row, rows: Sequence[Row], metric: str) -> list[str]:
    rest = (row for row in rows if row["data"] == best["data"] and row["model"] != best["model"])
    return [f"{row['model']} {_POINTS.score(row[metric])}" for row in rest]


def _sets(view: View) -> Grid:
    heads = ("set", "what", "sentences", "words", "senses", "training examples", "tested")
    columns = tuple(Column(head, numeric=index > 1) for index, head in enumerate(heads))
    rows = tuple(
        (
            Cell(str(row["data"])),
            Cell(str(row["what"])),
            *(
                Cell(count(finite(row[name])), why="pairs have no senses named")
                for name in ("sentences", "words", "senses", "taught", "tested")
            ),
        )
        for row in view.rows("sets")
    )
    return Grid("Sets", columns, rows)
