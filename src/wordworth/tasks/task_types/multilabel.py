"""Multi-label classification: any number of labels for a text, in one cell (JSON array or separated) or in columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.tasks.labels import Labelled, in_order
from wordworth.tasks.reading.cell_values import check_present, values
from wordworth.tasks.reading.labelled_rows import LabelledRows
from wordworth.tasks.task import Labels, Rows
from wordworth.tasks.task_types.classification import examples

__all__ = ["default_metric", "examples", "read", "separator"]

_SEPARATORS = ("|", ";", ",")
_LEAST_SHARE = 0.01
_FLAGS = {"0": False, "1": True, "false": False, "true": True, "no": False, "yes": True, "": False}
_PLURALS = {"labels", "tags", "topics", "categories", "classes", "emotions"}
_ARRAY = "JSON array"


def read(sheet: LabelledRows) -> Labelled:
    """Which labels each row has, bool [n, classes].

    Raises:
        BadInput: a label column holds something other than 0 and 1, or all rows have the same labels.
    """
    names, has, how = _from_columns(sheet) if len(sheet.columns.labels) > 1 else _from_cells(sheet)
    if not has.any() or (has == has[0]).all():
        what = "every row has the same labels: there is nothing to learn"
        raise BadInput(what, where=sheet.tables[0].path, mend="choose another --label")
    return Labelled(has, names, f"any number of labels ({how})")


def default_metric(labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:  # noqa: ARG001 - a TaskKind
    """Micro F1, which weighs every predicted or missed label equally."""
    return "micro_f1", "every label given or missed counts alike"


def separator(cells: Sequence[str], column: str) -> str | None:
    """The separator between the labels of a cell, or `JSON array`; None where cells hold one label each.

    A character is a separator if at least one cell in a hundred (and two) contains it and splitting gives fewer
    different labels than there are different cells, as it does when labels combine freely. A space is one only in a
    column with a plural name (`labels`).
    """
    full = [cell for cell in cells if cell]
    if full and all(values(cell) is not None for cell in full):
        return _ARRAY
    spaces = (" ",) if column.strip().lower() in _PLURALS else ()
    return next((mark for mark in (*_SEPARATORS, *spaces) if _separates(mark, full)), None)


def _separates(mark: str, cells: Sequence[str]) -> bool:
    holding = sum(mark in cell for cell in cells)
    if holding < max(2, _LEAST_SHARE * len(cells)):
        return False
    different = set(cells)
    pieces = {piece.strip() for cell in different for piece in cell.split(mark)}
    return len(pieces - {""}) < len(different)


def _from_cells(sheet: LabelledRows) -> tuple[tuple[str, ...], np.ndarray, str]:
    cells = sheet.label
    mark = separator(cells, sheet.columns.labels[0])
    if mark is None:
        check_present(sheet, cells)
    rows = [_pieces(cell, mark) for cell in cells]
    names = in_order({name for row in rows for name in row})
    index = {name: number for number, name in enumerate(names)}
    has = np.zeros((len(rows), len(names)), dtype=np.bool_)
    for row, pieces in enumerate(rows):
        has[row, [index[piece] for piece in pieces]] = True
    descriptions = {None: "one a cell", " ": "separated by spaces", _ARRAY: "JSON arrays"}
    return names, has, descriptions.get(mark, f"separated by {mark!r}")


def _pieces(cell: str, mark: str | None) -> list[str]:
    if mark == _ARRAY:
        return [piece.strip() for piece in values(cell) or [] if piece.strip()]
    return [piece.strip() for piece in (cell.split(mark) if mark else [cell]) if piece.strip()]


def _from_columns(sheet: LabelledRows) -> tuple[tuple[str, ...], np.ndarray, str]:
    names = sheet.columns.labels
    has = np.array([_flags(sheet, name) for name in names], dtype=np.bool_).T
    return names, has, f"{len(names)} columns"


def _flags(sheet: LabelledRows, name: str) -> list[bool]:
    flags = []
    for row, cell in enumerate(sheet.cells(name)):
        plain = cell.strip().lower().removesuffix(".0")
        if plain not in _FLAGS:
            mend = f"write 0 or 1 ({nearest(plain, ['true', 'false', 'yes', 'no'])})"
            raise BadInput(f"label column {name!r} holds {cell!r}", where=sheet.where(row), mend=mend)
        flags.append(_FLAGS[plain])
    return flags
