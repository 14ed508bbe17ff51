"""The error analysis of a `finetune` page: confusion matrix, scores by class, and test examples with highlights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from wordworth.json_file import parse_json
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import caption_of
from wordworth.reports.charts import confusion_matrix
from wordworth.reports.charts.confusion_matrix import Matrix
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.finetune.record_view import CONFUSION, FinetuneView
from wordworth.reports.number_format import ABSENT, count, finite
from wordworth.reports.record_view import Row
from wordworth.reports.tables import Cell, CellMakers, Column, Grid, plain, row_table
from wordworth.sentence_formatting import points

_MOST_LISTED = 40
_FOLD, _SHOWN = 420, 340
_TITLES = {
    "wrong": "Most confident and wrong",
    "right": "Most confident and right",
    "unsure": "Least confident",
}
_SIDES = {"both": "right", "gold": "missed", "predicted": "wrong"}


def confusion(view: FinetuneView) -> Figure | None:
    """Return the figure of the confusion matrix.

    For more than sixteen classes the figure has no drawing, only a table of the most frequent mistakes.

    Returns:
        The figure; None for kinds of tasks without classes.
    """
    rows, names = view.rows("confusion"), view.class_names
    if not rows:
        return None
    mistakes = [(str(row["gold"]), str(row["predicted"]), count(row["count"])) for row in view.mistakes[:_MOST_LISTED]]
    listed = plain("Mistakes, the most frequent first", ("gold", "predicted", "count"), mistakes)
    if caption_of(view, CONFUSION).absent:
        return captioned_figure(view, CONFUSION, table=listed)
    counts = {(row["gold"], row["predicted"]): int(row["count"]) for row in rows}
    data = Matrix(names, [[counts.get((gold, predicted), 0) for predicted in names] for gold in names])
    pictures = drawn(partial(confusion_matrix.draw, data), CONFUSION, height=confusion_matrix.height(data))
    return captioned_figure(
        view, CONFUSION, f"Counts of gold labels against predictions, {len(names)} classes.", pictures, listed
    )


def classes(view: FinetuneView) -> Grid | None:
    """Return the table of each class's precision, recall and F1 on the test part; None for tasks without classes.

    The table also has how often each class is the gold label and how often it is predicted.

    Args:
        view: the record of the fine-tuning.
    """
    rows = view.rows("classes")
    if not rows:
        return None
    cells: CellMakers = {
        "class": "name",
        Column("precision", note="share of its predictions that are right"): _share("precision"),
        Column("recall", note="share of its examples that are predicted"): _share("recall"),
        "F1": _share("f1"),
        "gold": lambda row: Cell(count(row["gold"]), row["gold"]),
        "predicted": lambda row: Cell(count(row["predicted"]), row["predicted"]),
    }
    return replace(row_table("Each class, on the test part", cells, rows), sortable=True)


def _share(name: str) -> Callable[[Row], Cell]:
    def cell(row: Row) -> Cell:
        share = finite(row[name])
        return Cell(ABSENT if share is None else points(share), share, why="never predicted or never gold")

    return cell


@dataclass(frozen=True, slots=True)
class Piece:
    """A span of characters of a text, with or without a highlight.

    Attributes:
        text: the characters.
        side: `right` for a span that is both in the gold labels and predicted; `missed` for a span in the gold labels
            alone; `wrong` for a span that is only predicted; empty for text outside of all spans.
        kind: type of the span, such as an entity's.
    """

    text: str
    side: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A test example as the page shows it.

    Attributes:
        pieces: the parts of the text, with their highlights.
        text: the whole text.
        beginning: the beginning of a long text, which the reader can unfold; empty for a short one.
        before: text that is shown before the text, such as a question.
        after: text that is shown after the text, such as the second text of a pair.
        gold: the gold label.
        predicted: the prediction.
        confidence: confidence of the prediction; empty if it is not known.
        right: whether the prediction is correct.
    """

    pieces: tuple[Piece, ...]
    text: str
    beginning: str
    before: str
    after: str
    gold: str
    predicted: str
    confidence: str
    right: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Test examples under one title, such as the most confident mistakes."""

    title: str
    examples: tuple[Example, ...]


def groups(view: FinetuneView) -> tuple[Group, ...]:
    """Return the groups of wrong, correct and least confident examples; groups without examples are left out."""
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


def legend(view: FinetuneView) -> tuple[Piece, ...]:
    """Return a sample of each kind of highlighted text with its meaning; empty if no text is highlighted."""
    sides = {mark[2] for row in view.rows("examples") for mark in _marks(row)}
    words = {"both": "found", "gold": "missed", "predicted": "predicted, not gold"}
    return tuple(Piece(words[side], _SIDES[side]) for side in words if side in sides)


def _example(view: FinetuneView, row: Row) -> Example:
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
    """Return the marked spans of an example, each as [start, end, side, kind], with start and end in characters.

    The side is `gold`, `predicted` or `both`; records of earlier versions call `predicted` `said`.
    """
    return [[a, b, "predicted" if side == "said" else side, kind] for a, b, side, kind in parse_json(row["marks"])]


def _pieces(text: str, marks: Sequence[Sequence[Any]]) -> tuple[Piece, ...]:
    """Cut a text at both ends of every mark, and return the pieces.

    Where a gold and a predicted mark overlap, the piece is `right` if their types are equal, else `missed`.

    Args:
        text: the text.
        marks: the marked spans, as `_marks` returns them.
    """
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
