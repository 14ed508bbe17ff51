"""The head of the page: what was asked, the answer, one large figure a set."""

from __future__ import annotations

from dataclasses import dataclass

from wordworth.pages.numbers import count, finite, unit
from wordworth.pages.recorded import Row
from wordworth.pages.senses.view import View
from wordworth.pages.tables import Cell, Column, Grid
from wordworth.pages.tile import Tile
from wordworth.records import best_rows

_POINTS = unit("accuracy")


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer in a line and in sentences, its figures, and what was read."""

    asked: str
    made: str
    headline: str
    sentences: str
    tiles: tuple[Tile, ...]
    sets: Grid


def answer(view: View) -> Answer:
    """The head of the page."""
    found = view.findings("verdict")[0]
    names = ", ".join(str(row["model"]) for row in view.models)
    asked = f"Word senses · {names} · {view.data['name']}"
    numbers = found["numbers"]
    tiles = [_tagged(view, row) for row in best_rows(numbers["tagged"], "data", "score")]
    tiles += [_pairs(row) for row in best_rows(numbers["pairs"], "data", "test")]
    return Answer(asked, view.made, str(numbers["headline"]), str(found["text"]), tuple(tiles), _sets(view))


def _tagged(view: View, row: Row) -> Tile:
    usual = view.usual(row["data"])
    detail = f"{_between(row)}; most frequent sense {_POINTS.score(usual['score'])}"
    return Tile(f"{row['data']}, {row['model']}: % right", _POINTS.score(row["score"]), detail)


def _pairs(row: Row) -> Tile:
    detail = f"{_between(row)}; chance {_POINTS.score(row['chance'])}"
    return Tile(f"{row['data']}, {row['model']}: % right", _POINTS.score(row["test"]), detail)


def _between(row: Row) -> str:
    return _POINTS.interval(row["low"], row["high"])


def _sets(view: View) -> Grid:
    heads = ("set", "what", "sentences", "words", "senses", "teach", "tested")
    columns = tuple(Column(head, numeric=place > 1) for place, head in enumerate(heads))
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
