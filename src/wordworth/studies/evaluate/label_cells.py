"""Cells of several labels: the gold labels' and the predictions', each read by a separator of its own."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Sequence

from wordworth.tasks.reading.labelled_rows import values
from wordworth.tasks.task_types.multilabel import SEPARATORS, separator

_MARKS = (*SEPARATORS, " ")
_ONE: str = ""
"""In place of a separator: a cell is one label."""


def gold_labels(cells: Sequence[str], column: str) -> list[list[str]]:
    """Return the labels of each cell, by the separator that `multilabel.separator` finds.

    Args:
        cells: the gold labels.
        column: the name of their column, which says whether a space may separate labels.
    """
    stripped = [cell.strip() for cell in cells]
    mark = separator(stripped, column)
    return [_pieces(cell, mark if mark in _MARKS else _ONE) for cell in stripped]


def predicted_labels(cells: Sequence[str], known: Iterable[str]) -> list[list[str]]:
    """Return the labels of each cell; the separator is the one that leaves the fewest labels that are not known.

    Args:
        cells: the predictions: lists (of JSON or Python), or labels with a separator.
        known: the gold labels.
    """
    stripped, names = [cell.strip() for cell in cells], set(known)
    readings = [[_pieces(cell, mark) for cell in stripped] for mark in (_ONE, *_MARKS)]
    return min(readings, key=lambda rows: sum(piece not in names for row in rows for piece in row))


def as_cells(labels: Iterable[Sequence[str]]) -> list[str]:
    """Return the labels of each row as a JSON array."""
    return [json.dumps(list(row), ensure_ascii=False) for row in labels]


def _pieces(cell: str, mark: str) -> list[str]:
    listed = values(cell) or _python_list(cell)
    if listed is None:
        listed = cell.split(mark) if mark else [cell]
    return [piece.strip() for piece in listed if piece.strip()]


def _python_list(cell: str) -> list[str] | None:
    """Return the items of a list as Python writes it, and pandas into a CSV file; None for any other cell."""
    if not (cell.startswith("[") and cell.endswith("]")):
        return None
    try:
        items = ast.literal_eval(cell)
    except (ValueError, SyntaxError):
        return None
    return [str(item) for item in items]
