"""Test examples of the best model as text, with the marked parts highlighted in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from wordworth.json_file import parse_json
from wordworth.reports.finetune.view import View
from wordworth.reports.record_view import Row

_FOLD, _SHOWN = 420, 340
_TITLES = {
    "wrong": "Most confident and wrong",
    "right": "Most confident and right",
    "unsure": "Least confident",
}
_SIDES = {"both": "right", "gold": "missed", "predicted": "wrong"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters; `side` is right, missed, wrong or empty, `kind` the type that is marked."""

    text: str
    side: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """One text in pieces, with the text before it (a question) or after it (second of a pair). A long one unfolds."""

    pieces: tuple[Piece, ...]
    text: str
    beginning: str
    before: str
    after: str
    gold: str
    said: str
    sure: str
    right: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Examples under one title."""

    title: str
    examples: tuple[Example, ...]


def groups(view: View) -> tuple[Group, ...]:
    """The wrong, the right and the undecided examples; groups without examples are left out."""
    rows = view.rows("examples")
    sure = any(row["confidence"] is not None for row in rows)
    example_groups = []
    wording = view.task_type.wording
    titles = _TITLES if sure else {"wrong": wording.wrong, "right": wording.right}
    for which, title in titles.items():
        examples = tuple(_example(view, row) for row in rows if row["which"] == which)
        if examples:
            example_groups.append(Group(title, examples))
    return tuple(example_groups)


def legend(view: View) -> tuple[Piece, ...]:
    """The meaning of the marks; empty if no text has any."""
    sides = {mark[2] for row in view.rows("examples") for mark in _marks(row)}
    words = {"both": "found", "gold": "missed", "predicted": "predicted, not gold"}
    return tuple(Piece(words[side], _SIDES[side]) for side in words if side in sides)


def _example(view: View, row: Row) -> Example:
    text, marks = str(row["text"]), _marks(row)
    beginning = f"{text[:_SHOWN].rsplit(' ', 1)[0]}…" if len(text) > _FOLD and not marks else ""
    tags, is_question = view.task_type.labels_words, view.task_type.asks_questions
    second = str(row["second"] or "")
    confidence = row["confidence"]
    return Example(
        _pieces(text, marks),
        text,
        beginning,
        second if is_question else "",
        "" if is_question else second,
        "" if tags else str(row["gold"]),
        "" if tags else str(row["predicted"]),
        "" if confidence is None else f"{100 * confidence:.1f} %",
        row["which"] == "right" or row["gold"] == row["predicted"],
    )


def _marks(row: Row) -> list[list[Any]]:
    """The marks of an example; the side of a prediction was called `said` once."""
    return [[a, b, "predicted" if side == "said" else side, kind] for a, b, side, kind in parse_json(row["marks"])]


def _pieces(text: str, marks: Sequence[Sequence[Any]]) -> tuple[Piece, ...]:
    """The text cut at the ends of every mark; where marks cross, the gold one comes first, then the prediction."""
    edges = sorted({0, len(text), *(edge for mark in marks for edge in mark[:2])})
    pieces = []
    for start, end in pairwise(edges):
        over = [mark for mark in marks if mark[0] <= start and end <= mark[1]]
        sides = {mark[2] for mark in over}
        side = "both" if "both" in sides or ({"gold", "predicted"} <= sides and len({m[3] for m in over}) == 1) else ""
        side = side or ("gold" if "gold" in sides else "predicted" if "predicted" in sides else "")
        kinds = " / ".join(f"{mark[3]}" for mark in over if mark[0] == start)
        pieces.append(Piece(text[start:end], _SIDES.get(side, ""), kinds if side else ""))
    return tuple(pieces)
