"""Read cells that hold several labels: gold labels and predictions may use different separators."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Sequence

from wordworth.tasks.reading.labelled_rows import values
from wordworth.tasks.task_types.multilabel import SEPARATORS, separator

_MARKS = (*SEPARATORS, " ")
_ONE: str = ""
"""Stands in place of a separator where a whole cell is one label."""


def gold_labels(cells: Sequence[str], column: str) -> list[list[str]]:
    """Return the labels in each cell of gold labels, split at the separator that the function `separator` guesses.

    Args:
        cells: the cells.
        column: name of the column, which decides whether a space may separate labels.
    """
    stripped = [cell.strip() for cell in cells]
    mark = separator(stripped, column)
    return [_pieces(cell, mark if mark in _MARKS else _ONE) for cell in stripped]


def predicted_labels(cells: Sequence[str], known: Iterable[str]) -> list[list[str]]:
    """Return the labels in each cell of predictions, split at the separator that gives the fewest unknown labels.

    Args:
        cells: the cells: lists (in JSON or as Python prints them), or labels with a separator.
        known: all gold labels of the task; any other label is unknown.
    """
    stripped, names = [cell.strip() for cell in cells], set(known)
    readings = [[_pieces(cell, mark) for cell in stripped] for mark in (_ONE, *_MARKS)]
    return min(readings, key=lambda rows: sum(piece not in names for row in rows for piece in row))


def as_cells(labels: Iterable[Sequence[str]]) -> list[str]:
    """Return for each row its labels as the text of a JSON array."""
    return [json.dumps(list(row), ensure_ascii=False) for row in labels]


def _pieces(cell: str, mark: str) -> list[str]:
    listed = values(cell) or _python_list(cell)
    if listed is None:
        listed = cell.split(mark) if mark else [cell]
    return [piece.strip() for piece in listed if piece.strip()]


def _python_list(cell: str) -> list[str] | None:
    """Return the items of a list that is written as in Python (pandas writes it so into CSV); None for other cells."""
    if not (cell.startswith("[") and cell.endswith("]")):
        return None
    try:
        items = ast.literal_eval(cell)
    except (ValueError, SyntaxError):
        return None
    return [str(item) for item in items]
